public import Foundation

extension TextEncoding {
  /// Recognizes the encoding of a text by its bytes.
  ///
  /// - Parameter bytes: The whole text.
  /// - Returns: The encoding; `nil` if the bytes are not a known text.
  /// - Complexity: O(*m*) for *m* bytes.
  public static func recognized(in bytes: Data) -> TextEncoding? {
    // Bytes in memory can always be read.
    try? TextEncodingDetector.encoding(of: MemoryBytes(bytes))
  }

  /// Recognizes the encoding of a text by its first bytes, which may end within a character.
  ///
  /// - Parameter bytes: The beginning of the text.
  /// - Returns: The encoding; `nil` if the bytes are not a known text.
  /// - Complexity: O(*m*) for *m* bytes.
  public static func recognized(inBeginning bytes: Data) -> TextEncoding? {
    try? TextEncodingDetector.encoding(of: MemoryBytes(bytes), isCut: true)
  }
}
