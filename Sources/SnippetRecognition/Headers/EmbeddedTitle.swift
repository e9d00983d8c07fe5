/// A title that a file brings with it, made of bytes that may be anything.
///
/// What comes of it is one line of at most ``maximumLength`` characters without control characters.
/// A text that is damaged is none: the name of its file says more.
enum EmbeddedTitle {
  /// The most bytes of one title that are decoded: 1 KiB.
  static let maximumByteCount = 1024
  /// The most bytes that are read for one title, with what may come before it: 2 KiB.
  static let maximumPieceByteCount = 2048
  /// The most characters of a title, including the ellipsis when there were more: 200.
  static let maximumLength = 200
  // What any title may have: one character may have any number of marks.
  private static let maximumScalarCount = 1000

  /// Makes the title out of bytes in an encoding.
  ///
  /// - Parameters:
  ///   - bytes: The text, up to a NUL if there is one; of a longer one the first
  ///     ``maximumByteCount`` bytes.
  ///   - encoding: How it is encoded.
  /// - Returns: The title; `nil` for one that is empty or not in this encoding.
  static func text(_ bytes: [UInt8], in encoding: TextEncoding) -> String? {
    cleaned(decoded(bytes, encoding))
  }

  /// Makes the title out of bytes in an encoding that nobody tells.
  ///
  /// Old formats ask for Latin letters of one byte each, and many programs write UTF-8 all the
  /// same.
  ///
  /// - Parameter bytes: The text, as for one in a known encoding.
  /// - Returns: The title; `nil` for one that is empty.
  static func text(_ bytes: [UInt8]) -> String? {
    let bytes = Array(bytes.prefix { $0 != 0 })
    return text(bytes, in: .utf8) ?? text(bytes, in: .windows1252)
  }

  private static func decoded(_ bytes: [UInt8], _ encoding: TextEncoding) -> String {
    guard bytes.count >= maximumByteCount else { return encoding.decode(bytes) }
    return encoding.decodePrefix(bytes.prefix(maximumByteCount))
  }

  private static func cleaned(_ text: String) -> String? {
    let scalars = text.unicodeScalars.prefix { $0.value != 0 }
    guard !scalars.contains("\u{FFFD}") else { return nil }
    var visible = String.UnicodeScalarView()
    visible.append(contentsOf: scalars.lazy.map { isControl($0) ? " " : $0 })
    let title = String(visible).foldingWhiteSpace()
    return title.isEmpty ? nil : cut(title)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar == "\u{FEFF}"
  }

  private static func cut(_ title: String) -> String {
    let isLong = title.count > maximumLength
    let beginning = isLong ? title.prefix(maximumLength - 1) + "…" : title[...]
    return String(String.UnicodeScalarView(beginning.unicodeScalars.prefix(maximumScalarCount)))
  }
}

extension HeaderReader {
  /// Reads the bytes of a title, or as many as are looked at.
  ///
  /// - Parameters:
  ///   - offset: The position of the first one.
  ///   - byteCount: How many there are; any value is allowed.
  /// - Returns: The bytes, with indices from zero.
  /// - Throws: ``OutOfReach``, and what the source throws.
  mutating func titleBytes(at offset: Int64, byteCount: Int64) throws -> [UInt8] {
    let limit = Int64(EmbeddedTitle.maximumPieceByteCount)
    return try bytes(at: offset, count: Int(min(max(0, byteCount), limit)))
  }
}
