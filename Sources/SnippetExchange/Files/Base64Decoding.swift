import Foundation

/// Bytes in Base64 that come in pieces.
///
/// Whatever is none of its characters is passed over, and makes the whole invalid, unless it is a blank.
/// Foundation decodes whole groups of four.
struct Base64Decoding {
  private var data = Data()
  /// The characters of a group that is not complete.
  private var rest: [UInt8] = []
  private var hasOther = false
  private var hasPadding = false

  /// Whether there were only characters of Base64 and blanks so far, with padding at the end alone, and
  /// no single character is left.
  var isValid: Bool { !hasOther && rest.count != 1 }

  private static let pieceCharacterCount = 1 << 16
  /// Whether each byte is one of the characters.
  private static let isCharacter: [Bool] = {
    var isCharacter = [Bool](repeating: false, count: 256)
    let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for character in characters.utf8 { isCharacter[Int(character)] = true }
    return isCharacter
  }()

  /// Adds the next characters.
  mutating func add(_ characters: UnsafeBufferPointer<UInt8>) {
    let isCharacter = Self.isCharacter
    var piece = rest
    piece.reserveCapacity(min(characters.count + rest.count, Self.pieceCharacterCount))
    for character in characters {
      guard isCharacter[Int(character)] else {
        pass(character)
        continue
      }
      if hasPadding { hasOther = true }
      piece.append(character)
      if piece.count == Self.pieceCharacterCount {
        decode(piece[...])
        piece.removeAll(keepingCapacity: true)
      }
    }
    let wholeCount = piece.count & ~3
    decode(piece[..<wholeCount])
    rest = Array(piece[wholeCount...])
  }

  private mutating func pass(_ character: UInt8) {
    switch character {
    case UInt8(ascii: "="): hasPadding = true
    case 0x20, 0x09, 0x0A, 0x0D: break
    default: hasOther = true
    }
  }

  /// Returns the bytes, with those that an incomplete group at the end tells in full.
  consuming func finish() -> Data {
    let byteCount = data.count + rest.count * 6 / 8
    // The letter for six bits that are not set.
    if !rest.isEmpty { decode((rest + [UInt8](repeating: 0x41, count: 4 - rest.count))[...]) }
    return data.prefix(byteCount)
  }

  private mutating func decode(_ groups: ArraySlice<UInt8>) {
    data += Data(base64Encoded: Data(groups)) ?? Data()
  }
}
