package import Foundation

/// What the bytes of a snippet's content were recognised as.
package struct RecognizedContent: Sendable, Hashable {
  /// The type of the content.
  package let type: ContentType
  /// The pixel size, the playing time and the like, as far as the headers tell.
  package let facts: MediaFacts
  /// The title that the file brings with it, on one line; `nil` when it has none.
  ///
  /// At most 200 characters; bytes that are not text in their encoding are no title.
  package let title: String?
  /// When a picture was taken or a sound recorded, as the device wrote it; `nil` when it did not.
  package let capturedAt: Date?
  /// The encoding of a text; `nil` for images and recordings.
  package let encoding: TextEncoding?

  package init(
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
