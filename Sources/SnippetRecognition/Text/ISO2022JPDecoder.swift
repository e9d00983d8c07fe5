/// Decodes ISO-2022-JP: Japanese in seven bits, in which escape sequences switch the character set.
///
/// RFC 1468 and, for half-width katakana, the practice described at
/// <https://encoding.spec.whatwg.org/#iso-2022-jp>.
struct ISO2022JPDecoder: CharacterDecoder {
  private enum CharacterSet {
    case ascii
    case roman
    case katakana
    case doubleByte
  }

  private static let escapeSequences: [(bytes: [UInt8], characterSet: CharacterSet)] = [
    (Array("\u{1B}(B".utf8), .ascii),
    (Array("\u{1B}(J".utf8), .roman),
    (Array("\u{1B}(I".utf8), .katakana),
    (Array("\u{1B}$@".utf8), .doubleByte),
    (Array("\u{1B}$B".utf8), .doubleByte),
  ]

  private var characterSet = CharacterSet.ascii

  /// Whether the bytes so far end in a Latin character set, which a text must do.
  var isAmongLetters: Bool { characterSet == .ascii || characterSet == .roman }

  mutating func next(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> DecodedCharacter {
    let byte = bytes[index]
    if byte == 0x1B, let escape = escape(in: bytes, at: index) { return escape }
    guard byte < 0x80 else { return .malformed(byteCount: 1) }
    // Line ends and blanks are the same in every set.
    guard (0x21...0x7E).contains(byte) else { return .scalar(Unicode.Scalar(byte), byteCount: 1) }
    switch characterSet {
    case .ascii:
      return .scalar(Unicode.Scalar(byte), byteCount: 1)
    case .roman:
      return .scalar(byte == 0x5C ? "¥" : byte == 0x7E ? "‾" : Unicode.Scalar(byte), byteCount: 1)
    case .katakana:
      guard let scalar = Unicode.Scalar(0xFF61 + UInt16(byte - 0x21)), byte <= 0x5F else {
        return .malformed(byteCount: 1)
      }
      return .scalar(scalar, byteCount: 1)
    case .doubleByte:
      guard index + 1 < bytes.count else { return .incomplete }
      let cell = bytes[index + 1]
      guard (0x21...0x7E).contains(cell) else { return .malformed(byteCount: 1) }
      let scalar = DoubleByteTable.windows932.character(row: byte | 0x80, cell: cell | 0x80)
      return scalar.map { .scalar($0, byteCount: 2) } ?? .malformed(byteCount: 2)
    }
  }

  /// Applies an escape sequence; an unknown one is an ordinary character.
  private mutating func escape(
    in bytes: UnsafeBufferPointer<UInt8>,
    at index: Int
  ) -> DecodedCharacter? {
    let rest = bytes[index...].prefix(3)
    for (sequence, characterSet) in Self.escapeSequences where sequence.starts(with: rest) {
      guard rest.count == sequence.count else { return .incomplete }
      self.characterSet = characterSet
      return .control(byteCount: sequence.count)
    }
    return nil
  }
}
