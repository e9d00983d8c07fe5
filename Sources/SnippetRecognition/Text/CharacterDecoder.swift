/// Decodes bytes of one encoding, character by character.
protocol CharacterDecoder {
  /// Decodes the character at a position of a piece.
  ///
  /// Every case but ``DecodedCharacter/incomplete`` advances by at least one byte, and never past
  /// the end of the piece.
  mutating func next(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> DecodedCharacter
}

/// The result of decoding at a position.
enum DecodedCharacter {
  /// A character.
  case scalar(Unicode.Scalar, byteCount: Int)
  /// A control sequence that switches the character set.
  case control(byteCount: Int)
  /// Bytes that are invalid in this encoding.
  case malformed(byteCount: Int)
  /// The beginning of a character that ends beyond the piece.
  case incomplete
}
