/// Checks, piece by piece, that a text is well-formed UTF-8.
struct UTF8Check {
  /// What the bytes so far are.
  enum Verdict {
    /// UTF-8, possibly cut within a character.
    case wellFormed
    /// Not UTF-8, but possibly a text in another encoding.
    case malformed
    /// No text: a control character that texts do not have.
    case binary
  }

  /// What the bytes so far are.
  private(set) var verdict = Verdict.wellFormed
  // The bytes that the character begun still needs, and the range of the next one.
  private var missingByteCount = 0
  private var nextRange: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether the bytes so far end between two characters.
  var isComplete: Bool { missingByteCount == 0 }

  /// Checks the next piece.
  ///
  /// - Parameter bytes: The piece.
  mutating func check(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      guard verdict == .wellFormed else { return }
      if missingByteCount > 0 {
        guard nextRange.contains(byte) else { return verdict = .malformed }
        missingByteCount -= 1
        nextRange = 0x80...0xBF
      } else if byte < 0x80 {
        if !TextCharacters.areAllowed(byte) { verdict = .binary }
      } else {
        begin(byte)
      }
    }
  }

  // Unicode Standard, table 3-7.
  private mutating func begin(_ lead: UInt8) {
    switch lead {
    case 0xC2...0xDF: missingByteCount = 1
    case 0xE0...0xEF: missingByteCount = 2
    case 0xF0...0xF4: missingByteCount = 3
    default: verdict = .malformed
    }
    switch lead {
    case 0xE0: nextRange = 0xA0...0xBF
    case 0xED: nextRange = 0x80...0x9F
    case 0xF0: nextRange = 0x90...0xBF
    case 0xF4: nextRange = 0x80...0x8F
    default: nextRange = 0x80...0xBF
    }
  }
}
