import SnippetBase

/// Decodes a text piece by piece, wherever the pieces are cut.
///
/// The results, one after the other, are what ``TextEncoding/decode(_:)`` makes of the whole.
package struct TextDecoder {
  private let encoding: TextEncoding
  /// Decodes characters of encodings other than Unicode.
  private var characters: (any CharacterDecoder)?
  /// The beginning of a character whose end has not arrived.
  private var cutBytes: [UInt8] = []
  /// Whether a byte order mark would still count as one.
  private var isAtStart = true

  /// A size for pieces that take little memory when decoded.
  package static let pieceByteCount = 1 << 16

  /// Makes a decoder at the beginning of a text.
  package init(_ encoding: TextEncoding) {
    self.encoding = encoding
    switch encoding {
    case .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian:
      characters = nil
    case .cesu8:
      characters = CESU8Decoder()
    case .iso2022JP:
      characters = ISO2022JPDecoder()
    case .eucJP, .shiftJIS, .eucKR, .gb18030, .big5:
      characters = MultiByteDecoder(encoding)
    case .windows1252, .iso8859Part15, .windows1250, .iso8859Part2, .windows1254, .windows1251,
      .koi8R, .koi8U, .iso8859Part5, .ibm866, .windows1253, .iso8859Part7, .windows1255,
      .windows1256, .windows874, .ibm850, .ibm857, .ibm862, .macintosh, .macCyrillic:
      characters = SingleByteTable.table(of: encoding)
    }
  }

  /// Decodes the next piece; empty if no character is complete.
  ///
  /// Unless it is the last piece, an incomplete character at its end waits for the rest.
  package mutating func decode(_ piece: UnsafeBufferPointer<UInt8>, isLast: Bool) -> String {
    guard !cutBytes.isEmpty else { return decodeFromStart(of: piece, isLast: isLast) }
    let bytes = cutBytes + piece
    return bytes.withUnsafeBufferPointer { decodeFromStart(of: $0, isLast: isLast) }
  }

  /// Decodes an incomplete character whose end will not arrive.
  package mutating func finish() -> String {
    decode(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
  }

  private mutating func decodeFromStart(
    of bytes: UnsafeBufferPointer<UInt8>,
    isLast: Bool
  ) -> String {
    let (text, byteCount) = decodeComplete(bytes, isLast: isLast)
    cutBytes = Array(bytes[byteCount...])
    if byteCount > 0 { isAtStart = false }
    return text
  }

  /// Decodes everything that is complete, and returns the number of bytes used.
  private mutating func decodeComplete(
    _ bytes: UnsafeBufferPointer<UInt8>,
    isLast: Bool
  ) -> (text: String, byteCount: Int) {
    switch encoding {
    case .utf8:
      return decodeUTF8(bytes, isLast: isLast)
    case .utf16LittleEndian, .utf16BigEndian:
      return decodeUTF16(bytes, isBigEndian: encoding == .utf16BigEndian, isLast: isLast)
    case .utf32LittleEndian, .utf32BigEndian:
      return decodeUTF32(bytes, isBigEndian: encoding == .utf32BigEndian, isLast: isLast)
    default:
      guard var characters else { return ("", bytes.count) }
      defer { self.characters = characters }
      guard isAtStart else { return Self.decode(bytes, isLast: isLast, with: &characters) }
      // Some programs put the mark of UTF-8 before a text that they do not convert.
      let mark = ByteOrderMark.utf8
      if !isLast, bytes.count < mark.count, mark.starts(with: bytes) { return ("", 0) }
      let markCount = bytes.starts(with: mark) ? mark.count : 0
      let rest = UnsafeBufferPointer(rebasing: bytes[markCount...])
      let (text, byteCount) = Self.decode(rest, isLast: isLast, with: &characters)
      return (text, byteCount + markCount)
    }
  }

  private func decodeUTF8(
    _ bytes: UnsafeBufferPointer<UInt8>,
    isLast: Bool
  ) -> (text: String, byteCount: Int) {
    var complete = bytes[...]
    if isAtStart, complete.starts(with: ByteOrderMark.utf8) { complete = complete.dropFirst(3) }
    if !isLast { complete = complete.dropLast(complete.cutUTF8ByteCount) }
    return (String(decoding: complete, as: UTF8.self), complete.endIndex)
  }

  private func decodeUTF16(
    _ bytes: UnsafeBufferPointer<UInt8>,
    isBigEndian: Bool,
    isLast: Bool
  ) -> (text: String, byteCount: Int) {
    var units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    var byteCount = units.count * 2
    if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) {
      units.removeLast()
      byteCount -= 2
    }
    return text(of: units, as: UTF16.self, byteCount, of: bytes, isLast: isLast)
  }

  private func decodeUTF32(
    _ bytes: UnsafeBufferPointer<UInt8>,
    isBigEndian: Bool,
    isLast: Bool
  ) -> (text: String, byteCount: Int) {
    let units = stride(from: 0, to: bytes.count - 3, by: 4).map { index in
      let bytes = bytes[index..<index + 4]
      return isBigEndian
        ? bytes.reduce(0) { $0 << 8 | UInt32($1) }
        : bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    return text(of: units, as: UTF32.self, units.count * 4, of: bytes, isLast: isLast)
  }

  /// Makes a text from units of several bytes, without a byte order mark, and with a replacement
  /// character for an incomplete unit at the end.
  private func text<Codec: UnicodeCodec>(
    of units: [Codec.CodeUnit],
    as codec: Codec.Type,
    _ byteCount: Int,
    of bytes: UnsafeBufferPointer<UInt8>,
    isLast: Bool
  ) -> (text: String, byteCount: Int) {
    var units = units[...]
    if isAtStart, units.first == 0xFEFF { units.removeFirst() }
    guard isLast, byteCount < bytes.count else {
      return (String(decoding: units, as: codec), byteCount)
    }
    units.append(0xFFFD)
    return (String(decoding: units, as: codec), bytes.count)
  }

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>,
    isLast: Bool,
    with decoder: inout some CharacterDecoder
  ) -> (text: String, byteCount: Int) {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    var index = 0
    reading: while index < bytes.count {
      switch decoder.next(in: bytes, at: index) {
      case .scalar(let scalar, let byteCount):
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        index += byteCount
      case .control(let byteCount):
        index += byteCount
      case .malformed(let byteCount):
        text.append(contentsOf: UTF8.encodedReplacementCharacter)
        index += byteCount
      case .incomplete:
        guard isLast else { break reading }
        text.append(contentsOf: UTF8.encodedReplacementCharacter)
        index += 1
      }
    }
    return (String(decoding: text, as: UTF8.self), index)
  }
}
