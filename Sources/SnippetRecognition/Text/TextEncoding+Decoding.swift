extension TextEncoding {
  /// Decodes a whole text.
  ///
  /// Every malformed part, and every character unknown to Unicode, becomes a replacement character,
  /// U+FFFD. A byte order mark at the beginning is dropped.
  ///
  /// - Parameter bytes: All bytes of the text; any bytes are allowed.
  /// - Returns: The text.
  /// - Complexity: O(*n*) in the number of bytes.
  public func decode(_ bytes: some Sequence<UInt8>) -> String {
    decode(bytes, isWhole: true)
  }

  /// Decodes the beginning of a text that may end in the middle of a character.
  ///
  /// Works like ``decode(_:)``, but leaves out an incomplete last character.
  ///
  /// - Parameter bytes: The first bytes of the text; any bytes are allowed.
  /// - Returns: The beginning of the text.
  /// - Complexity: O(*n*) in the number of bytes given.
  public func decodePrefix(_ bytes: some Sequence<UInt8>) -> String {
    decode(bytes, isWhole: false)
  }

  private func decode(_ bytes: some Sequence<UInt8>, isWhole: Bool) -> String {
    var decoder = TextDecoder(self)
    let decoded = bytes.withContiguousStorageIfAvailable { decoder.decode($0, isLast: isWhole) }
    if let decoded { return decoded }
    return Array(bytes).withUnsafeBufferPointer { decoder.decode($0, isLast: isWhole) }
  }
}
