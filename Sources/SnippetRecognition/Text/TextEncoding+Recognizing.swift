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

  /// Tells the encoding of a text by its first bytes, which may end within a character.
  ///
  /// - Parameter bytes: The beginning of the text.
  /// - Returns: The encoding; `nil` when the bytes are no known text.
  /// - Complexity: O(*m*) for *m* bytes.
  public static func recognized(inBeginning bytes: Data) -> TextEncoding? {
    // No character has more than four bytes. One that is cut may pass for others of one byte each.
    let candidates = (0...min(3, bytes.count)).lazy.compactMap {
      recognized(in: bytes.dropLast($0))
    }
    return candidates.first { $0.mayHaveSeveralBytes } ?? candidates.first
  }

  /// Whether there are characters of more than one byte.
  private var mayHaveSeveralBytes: Bool {
    switch self {
    case .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
      .iso2022JP, .eucJP, .shiftJIS, .eucKR, .gb18030, .big5:
      true
    default: false
    }
  }
}
