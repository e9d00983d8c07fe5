/// Checks, piece by piece, that a text is well-formed UTF-8.
struct UTF8Check {
  /// The verdict on the bytes so far.
  enum Verdict {
    /// UTF-8, possibly cut within a character.
    case wellFormed
    /// Not UTF-8, but possibly a text in another encoding.
    case malformed
    /// Not text: a control character foreign to texts.
    case binary
  }

  /// The verdict on the bytes so far.
  private(set) var verdict = Verdict.wellFormed
  /// The number of complete characters beyond ASCII.
  private(set) var characterCount = 0
  // The number of bytes that the present character still needs, and the range of the next one.
  private var missingByteCount = 0
  private var nextRange: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether the bytes so far end between two characters.
  var isComplete: Bool { missingByteCount == 0 }

  /// Checks the next piece.
  mutating func check(_ bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < bytes.count, verdict == .wellFormed {
      if missingByteCount == 0 { index = Self.endOfPrintableASCII(in: bytes, from: index) }
      guard index < bytes.count else { return }
      check(bytes[index])
      index += 1
    }
  }

  private mutating func check(_ byte: UInt8) {
    if missingByteCount > 0 {
      guard nextRange.contains(byte) else { return verdict = .malformed }
      missingByteCount -= 1
      if missingByteCount == 0 { characterCount += 1 }
      nextRange = 0x80...0xBF
    } else if byte < 0x80 {
      if !TextCharacters.areAllowed(byte) { verdict = .binary }
    } else if let sequence = Self.sequence(byte) {
      (missingByteCount, nextRange) = sequence
    } else {
      verdict = .malformed
    }
  }

  /// Skips unremarkable characters, eight at a time.
  private static func endOfPrintableASCII(
    in bytes: UnsafeBufferPointer<UInt8>,
    from start: Int
  ) -> Int {
    let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var index = start
    while index + 8 <= bytes.count {
      let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // The high bit of a byte is set in a difference if the byte is the smaller one, and in the
      // second difference if it is 0x7F.
      let belowBlank = (word &- ones * 0x20) & ~word
      let isDelete = ((word ^ ones * 0x7F) &- ones) & ~(word ^ ones * 0x7F)
      guard (word | belowBlank | isDelete) & highBits == 0 else { return index }
      index += 8
    }
    return index
  }

  /// Returns the number of bytes that follow a lead byte, and the range of the next one; `nil` for
  /// a byte that begins no character.
  static func sequence(_ lead: UInt8) -> (missingByteCount: Int, nextRange: ClosedRange<UInt8>)? {
    // Unicode Standard, table 3-7.
    switch lead {
    case 0xC2...0xDF: (1, 0x80...0xBF)
    case 0xE0: (2, 0xA0...0xBF)
    case 0xED: (2, 0x80...0x9F)
    case 0xE1...0xEF: (2, 0x80...0xBF)
    case 0xF0: (3, 0x90...0xBF)
    case 0xF4: (3, 0x80...0x8F)
    case 0xF1...0xF3: (3, 0x80...0xBF)
    default: nil
    }
  }
}
