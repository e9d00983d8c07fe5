public import Foundation

extension TextEncoding {
  /// Recognizes the encoding of a text by its bytes; a few may be irregular.
  ///
  /// - Parameter bytes: The whole text.
  /// - Returns: The encoding; `nil` if the bytes are not a known text.
  /// - Complexity: O(*m*) for *m* bytes.
  public static func recognized(in bytes: Data) -> TextEncoding? {
    recognized(in: bytes, isCut: false)
  }

  /// Recognizes the encoding of a text by its first bytes, which may end within a character.
  ///
  /// - Parameter bytes: The beginning of the text.
  /// - Returns: The encoding; `nil` if the bytes are not a known text.
  /// - Complexity: O(*m*) for *m* bytes.
  public static func recognized(inBeginning bytes: Data) -> TextEncoding? {
    recognized(in: bytes, isCut: true)
  }

  private static func recognized(in bytes: Data, isCut: Bool) -> TextEncoding? {
    let source = MemoryBytes(data: bytes)
    // Bytes in memory can always be read.
    return (try? TextEncodingDetector.encoding(of: source, isCut: isCut))
      ?? (try? TextEncodingDetector.irregularEncoding(of: source))
  }
}
