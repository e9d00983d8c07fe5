/// Tells what bytes are by looking at them.
///
/// Of an image or a recording at most ``HeaderReader/maximumByteCount`` bytes are read, whatever
/// its size. A text is judged by all of its bytes, in pieces, so that text followed by something
/// else is not taken for text.
package enum ContentRecognizer {
  private static let mediaHeaders: [any MediaHeader.Type] = [
    PNGHeader.self, JPEGHeader.self, GIFHeader.self, WebPHeader.self, TIFFHeader.self,
    BMPHeader.self, HEIFHeader.self,
    WAVHeader.self, AIFFHeader.self, CAFHeader.self, FLACHeader.self, OggHeader.self,
    MP3Header.self, M4AHeader.self,
  ]

  /// Recognises the content that a source holds.
  ///
  /// - Parameter source: The bytes of one file or snippet.
  /// - Returns: The type, the facts and the encoding; `nil` when it is nothing that a store takes,
  ///   an empty source among them.
  /// - Throws: What the source throws when it cannot be read.
  /// - Complexity: O(1) for images and recordings, O(*n*) in the number of bytes for text; constant
  ///   memory for both.
  package static func recognize(_ source: any ByteSource) throws -> RecognizedContent? {
    guard source.byteCount > 0 else { return nil }
    var reader = try HeaderReader(source)
    if let media = try media(in: &reader) { return media }
    guard !isDocument(reader.head) else { return nil }
    return try TextEncodingDetector.encoding(of: source).map {
      RecognizedContent(type: .plainText, encoding: $0)
    }
  }

  /// Recognises an image or a recording.
  ///
  /// - Parameter source: The bytes.
  /// - Returns: The type and the facts; `nil` when it is neither.
  /// - Throws: What the source throws when it cannot be read.
  static func recognizeMedia(_ source: any ByteSource) throws -> RecognizedContent? {
    guard source.byteCount > 0 else { return nil }
    var reader = try HeaderReader(source)
    return try media(in: &reader)
  }

  private static func media(in reader: inout HeaderReader) throws -> RecognizedContent? {
    for header in mediaHeaders {
      guard let type = try reader.attempt({ try header.type(in: &$0) }) ?? nil else { continue }
      let facts = try reader.attempt { try header.facts(in: &$0) }
      let capturedAt = try reader.attempt { reader in
        try header.exifOffset(in: &reader).flatMap { try EXIFDate.date(exifAt: $0, in: &reader) }
      }
      let title = try reader.attempt { try header.title(in: &$0) }
      return RecognizedContent(
        type: type,
        facts: facts ?? MediaFacts(),
        title: title ?? nil,
        capturedAt: capturedAt ?? nil
      )
    }
    return nil
  }

  /// Whether these are the first bytes of a document that may be made of nothing but characters
  /// and is no text all the same.
  private static func isDocument(_ head: [UInt8]) -> Bool {
    head.starts(with: "%PDF-".utf8)
  }
}
