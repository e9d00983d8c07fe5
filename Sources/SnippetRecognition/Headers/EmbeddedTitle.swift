/// A title inside a file, made from bytes that may be anything.
///
/// The result is a single line of at most ``maximumLength`` characters without control characters.
/// A damaged text gives no title, because the name of the file says more.
enum EmbeddedTitle {
  /// The most bytes of a title to decode: 1 KiB.
  static let maximumByteCount = 1024
  /// The most bytes to read for a title, including those before it: 2 KiB.
  static let maximumPieceByteCount = 2048
  /// The most characters of a title, including the ellipsis of a longer one: 200.
  static let maximumLength = 200
  // The limit for any title, because one character may have any number of marks.
  private static let maximumScalarCount = 1000

  /// Makes the title from bytes in a known encoding, up to a NUL if there is one; at most the first
  /// ``maximumByteCount`` are used.
  ///
  /// It is `nil` if it would be empty or the bytes are not valid in this encoding.
  static func text(_ bytes: [UInt8], in encoding: TextEncoding) -> String? {
    cleaned(decoded(bytes, encoding))
  }

  /// Makes the title from bytes in an unknown encoding; `nil` if it is empty, or another encoding is
  /// nearly as likely: then the name of the file says more.
  ///
  /// Old formats prescribe Latin letters of one byte each, but programs write UTF-8 or what their
  /// system uses.
  static func text(_ bytes: [UInt8]) -> String? {
    let bytes = Array(bytes.prefix { $0 != 0 })
    if let title = text(bytes, in: .utf8) { return title }
    guard let encoding = TextEncodingDetector.certainEncoding(of: bytes) else { return nil }
    let title = text(bytes, in: encoding)
    guard [.windows1252, .iso8859Part15, .macintosh].contains(encoding), !hasPlainWord(bytes) else {
      return title
    }
    return title.flatMap { $0.contains(where: \.isLetter) ? nil : $0 }
  }

  /// Whether bytes, in a known or an unknown encoding, are a text that is damaged.
  static func isUnreadable(_ bytes: [UInt8], in encoding: TextEncoding? = nil) -> Bool {
    guard visible(decoded(bytes, encoding ?? .utf8)) == nil else { return false }
    return encoding != nil || text(bytes) == nil
  }

  /// Whether bytes have a letter of ASCII, and not only as halves of East Asian characters.
  ///
  /// Few letters of another script look like Western ones, but a Western word has plain ones too.
  private static func hasPlainWord(_ bytes: [UInt8]) -> Bool {
    func isPlain(_ scalar: Unicode.Scalar) -> Bool {
      scalar.isASCII && scalar.properties.isAlphabetic
    }
    guard bytes.contains(where: { isPlain(Unicode.Scalar($0)) }) else { return false }
    let encodings: [TextEncoding] = [.big5, .gb18030, .eucKR, .shiftJIS]
    return encodings.allSatisfy { encoding in
      let scalars = encoding.decode(bytes).unicodeScalars
      // A single character, as “Öl” would be, is no text.
      guard scalars.count(where: { !$0.isASCII }) > 1 else { return true }
      return scalars.contains { $0 == "\u{FFFD}" || isPlain($0) }
    }
  }

  private static func decoded(_ bytes: [UInt8], _ encoding: TextEncoding) -> String {
    guard bytes.count >= maximumByteCount else { return encoding.decode(bytes) }
    return encoding.decodePrefix(bytes.prefix(maximumByteCount))
  }

  private static func cleaned(_ text: String) -> String? {
    guard let title = visible(text)?.foldingWhiteSpace() else { return nil }
    return title.isEmpty ? nil : cut(title)
  }

  /// Returns a text up to a NUL, with blanks for its other control characters except some; `nil` if
  /// it is damaged.
  static func visible(_ text: String, keeping kept: [Unicode.Scalar] = []) -> String? {
    let scalars = text.unicodeScalars.prefix { $0.value != 0 }
    guard !scalars.contains("\u{FFFD}") else { return nil }
    var visible = String.UnicodeScalarView()
    visible.append(
      contentsOf: scalars.lazy.map { isControl($0) && !kept.contains($0) ? " " : $0 }
    )
    return String(visible)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar == "\u{FEFF}"
  }

  /// Whether a title is the beginning of a longer one.
  static func isCut(_ title: String) -> Bool {
    title.count == maximumLength && title.hasSuffix("…")
  }

  private static func cut(_ title: String) -> String {
    let isLong = title.count > maximumLength
    let beginning = isLong ? title.prefix(maximumLength - 1) + "…" : title[...]
    return String(String.UnicodeScalarView(beginning.unicodeScalars.prefix(maximumScalarCount)))
  }
}

extension HeaderReader {
  /// Reads the bytes of a title, up to the limit; none if it ends before it starts.
  mutating func titleBytes(from start: Int64, to end: Int64) throws -> [UInt8] {
    let limit = Int64(EmbeddedTitle.maximumPieceByteCount)
    return try bytes(at: start, count: Int(min(max(0, end - start), limit)))
  }
}
