public import Foundation

/// What the bytes of a snippet's content were recognised as.
public struct RecognizedContent: Sendable, Hashable {
  /// The type of the content.
  public let type: ContentType
  /// The pixel size or the playing time, as far as the headers tell.
  public let facts: MediaFacts
  /// When a picture was taken, as its camera wrote it; `nil` when it did not.
  public let capturedAt: Date?
  /// The encoding of a text; `nil` for images and recordings.
  public let encoding: TextEncoding?

  init(
    type: ContentType,
    facts: MediaFacts = MediaFacts(),
    capturedAt: Date? = nil,
    encoding: TextEncoding? = nil
  ) {
    self.type = type
    self.facts = facts
    self.capturedAt = capturedAt
    self.encoding = encoding
  }
}
