public import Foundation

/// What the bytes of a snippet's content were recognised as.
public struct RecognizedContent: Sendable, Hashable {
  /// The type of the content.
  public let type: ContentType
  /// The pixel size, the playing time and the like, as far as the headers tell.
  public let facts: MediaFacts
  /// The title that the file brings with it, on one line; `nil` when it has none.
  ///
  /// Taken are the `TITLE` of FLAC and Ogg, `TIT2` of ID3 in an MP3 or else its older tag at the
  /// end, `INAM` of WAV, `NAME` of AIFF, `title` of CAF, `©nam` of M4A, and of the images the
  /// `Title` that a PNG has before its pixels, unless it is compressed. At most 200 characters;
  /// what is not readable text in its encoding is none.
  public let title: String?
  /// When a picture was taken, as its camera wrote it; `nil` when it did not.
  public let capturedAt: Date?
  /// The encoding of a text; `nil` for images and recordings.
  public let encoding: TextEncoding?

  init(
    type: ContentType,
    facts: MediaFacts = MediaFacts(),
    title: String? = nil,
    capturedAt: Date? = nil,
    encoding: TextEncoding? = nil
  ) {
    self.type = type
    self.facts = facts
    self.title = title
    self.capturedAt = capturedAt
    self.encoding = encoding
  }
}
