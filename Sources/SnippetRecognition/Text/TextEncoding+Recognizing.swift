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
    // No character has more than four bytes. A truncated one may look like several of one byte
    // each.
    let candidates = (0...min(3, bytes.count)).lazy.compactMap {
      recognized(in: bytes.dropLast($0))
    }
    return candidates.first { !singleByteEncodings.contains($0) } ?? candidates.first
  }
}
