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

  /// Recognizes the encoding of the names in an archive, as the system wrote them that made it; `nil`
  /// if that is not one of East Asia or of Russian DOS, whose letters would be signs in another, or of
  /// Cyrillic on Unix.
  package static func recognized(
    inNames bytes: [UInt8],
    ofUnix isUnix: Bool = false
  ) -> TextEncoding? {
    guard !bytes.isEmpty else { return nil }
    var known: [TextEncoding] = [.shiftJIS, .eucKR, .gb18030, .big5, .ibm866]
    if isUnix { known += [.eucJP, .koi8R, .koi8U, .windows1251] }
    // Bytes in memory can always be read.
    guard let found = try? TextEncodingDetector.encoding(of: MemoryBytes(bytes)) else { return nil }
    return known.contains(found) ? found : nil
  }

  private static func recognized(in bytes: Data, isCut: Bool) -> TextEncoding? {
    let source = MemoryBytes(data: bytes)
    // Bytes in memory can always be read.
    return (try? TextEncodingDetector.encoding(of: source, isCut: isCut))
      ?? (try? TextEncodingDetector.irregularEncoding(of: source))
  }
}
