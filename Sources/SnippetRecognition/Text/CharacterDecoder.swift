/// Takes bytes in one encoding apart, character by character.
protocol CharacterDecoder {
  /// Decodes the character at a position.
  ///
  /// - Parameters:
  ///   - bytes: A piece of the text.
  ///   - index: The position, within the bounds of the piece.
  /// - Returns: What is there. Every case but ``DecodedCharacter/incomplete`` moves on by at least
  ///   one byte, and never past the end of the piece.
  mutating func next(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> DecodedCharacter
}

/// What a decoder found at a position.
enum DecodedCharacter {
  /// A character.
  case scalar(Unicode.Scalar, byteCount: Int)
  /// Bytes that switch the character set and are no character.
  case control(byteCount: Int)
  /// Bytes that are no character in this encoding.
  case malformed(byteCount: Int)
  /// The beginning of a character whose end lies beyond the piece.
  case incomplete
}
