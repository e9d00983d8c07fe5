public import Foundation

extension TextEncoding {
  /// Tells the encoding of a text by its bytes.
  ///
  /// - Parameter bytes: The whole text.
  /// - Returns: The encoding; `nil` when the bytes are no known text.
  /// - Complexity: O(*m*) for *m* bytes.
  public static func recognized(in bytes: Data) -> TextEncoding? {
    // Bytes in memory can always be read.
    try? TextEncodingDetector.encoding(of: MemoryBytes(bytes))
  }
}
