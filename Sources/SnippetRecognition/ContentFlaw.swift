package import Foundation

/// Something irregular in content that a store keeps all the same.
package enum ContentFlaw: Sendable, Hashable {
  /// The end of a picture is missing; the rest is shown.
  case cutShort
  /// Some bytes of a text are not UTF-8, or control characters foreign to texts.
  case irregularBytes

  /// The flaw in words.
  package var words: String {
    switch self {
    case .cutShort: "cut short: its end is missing, and is shown empty"
    case .irregularBytes:
      "irregular: some bytes are no characters; they are kept, and exported as they are"
    }
  }

  /// The most bytes of a picture, at each end, that are looked at: 64 KiB.
  package static let endByteCount: Int64 = 1 << 16

  /// Finds that the end of a picture is missing, by the mark that its format puts there; `nil` if it
  /// is not, or the format has no such mark.
  ///
  /// - Parameters:
  ///   - type: The type of the picture.
  ///   - byteCount: Its size.
  ///   - head: Its first bytes, up to ``endByteCount``.
  ///   - tail: Its last bytes, up to ``endByteCount``.
  package init?(of type: ContentType, byteCount: Int64, head: Data, tail: Data) {
    let isWhole: Bool
    switch type {
    // Cameras and editors write more behind the end.
    case .jpeg: isWhole = tail.range(of: Data([0xFF, 0xD9])) != nil
    case .png: isWhole = tail.range(of: Data("IEND".utf8)) != nil
    case .gif: isWhole = tail.contains(0x3B)
    case .webP: isWhole = Self.number(at: 4, in: head).map { byteCount >= $0 + 8 } ?? true
    case .bmp: isWhole = Self.number(at: 2, in: head).map { byteCount >= $0 } ?? true
    default: return nil
    }
    if isWhole { return nil }
    self = .cutShort
  }

  private static func number(at offset: Int, in bytes: Data) -> Int64? {
    let part = bytes.dropFirst(offset).prefix(4)
    return part.count == 4 ? part.reversed().reduce(0) { $0 << 8 | Int64($1) } : nil
  }
}

/// Finds irregular bytes in a text in UTF-8, piece by piece.
package struct IrregularBytes {
  private var check = UTF8Check()

  package init() {}

  /// Whether there was any in the pieces so far; the text may be cut within a character.
  package var areFound: Bool { check.verdict != .wellFormed }

  /// Whether there is any in all pieces.
  package var areFoundInAll: Bool { areFound || !check.isComplete }

  /// Checks the next piece.
  package mutating func check(_ piece: Data) {
    piece.withUnsafeBytes { check.check($0.bindMemory(to: UInt8.self)) }
  }
}
