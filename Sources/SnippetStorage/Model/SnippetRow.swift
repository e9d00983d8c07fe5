public import Foundation

/// The cheap metadata of a snippet: everything a cell needs before a blob is read.
///
/// A row never holds a payload. The text of a text snippet and the bytes of an image or a recording
/// are read separately, by ``blobID`` or the store's content calls.
public struct SnippetRow: Sendable, Hashable, Identifiable {
  /// The identity within the store.
  public let id: SnippetID
  /// The identity everywhere.
  ///
  /// It stays the same in an export, a backup and another store.
  public let uuid: UUID
  /// Text, image or voice.
  public let kind: SnippetKind
  /// The title; may be empty.
  public let title: String
  /// The beginning of a text on one line, at most ``maximumPreviewLength`` characters; empty for
  /// other kinds.
  public let preview: String
  /// When the snippet was made, to the millisecond.
  public let createdAt: Date
  /// When the snippet was last changed, to the millisecond.
  public let modifiedAt: Date
  /// Whether the snippet is pinned.
  public let isPinned: Bool
  /// The tags, in the order of their names.
  public let tags: [String]
  /// The size of the content in bytes.
  public let byteCount: Int64
  /// The media type of the content, such as `image/png`.
  public let mediaType: String
  /// What is known of an image or a recording without decoding it.
  public let facts: MediaFacts
  /// Goes up with every change of the snippet.
  public let revision: Int64
  /// The blob that holds the content; `nil` for a short text, which is stored as text.
  public let blobID: BlobID?
  /// When the snippet was moved to the trash, to the millisecond; `nil` for one that is not there.
  public let deletedAt: Date?

  /// The most characters that ``preview`` holds: 200.
  public static let maximumPreviewLength = TextPreview.maximumLength

  /// Makes a row by hand, for previews and tests.
  ///
  /// Stores make their own.
  ///
  /// - Parameters:
  ///   - id: The identity within the store.
  ///   - uuid: The identity everywhere.
  ///   - kind: Text, image or voice.
  ///   - title: The title.
  ///   - preview: The beginning of a text.
  ///   - createdAt: When the snippet was made.
  ///   - modifiedAt: When the snippet was last changed.
  ///   - isPinned: Whether the snippet is pinned.
  ///   - tags: The tags.
  ///   - byteCount: The size of the content in bytes.
  ///   - mediaType: The media type of the content.
  ///   - facts: What is known of the content without decoding it.
  ///   - revision: The number of the state.
  ///   - blobID: The blob that holds the content.
  ///   - deletedAt: When the snippet was moved to the trash.
  public init(
    id: SnippetID,
    uuid: UUID,
    kind: SnippetKind,
    title: String,
    preview: String = "",
    createdAt: Date,
    modifiedAt: Date,
    isPinned: Bool = false,
    tags: [String] = [],
    byteCount: Int64,
    mediaType: String,
    facts: MediaFacts = MediaFacts(),
    revision: Int64 = 1,
    blobID: BlobID? = nil,
    deletedAt: Date? = nil
  ) {
    self.id = id
    self.uuid = uuid
    self.kind = kind
    self.title = title
    self.preview = preview
    self.createdAt = createdAt
    self.modifiedAt = modifiedAt
    self.isPinned = isPinned
    self.tags = tags
    self.byteCount = byteCount
    self.mediaType = mediaType
    self.facts = facts
    self.revision = revision
    self.blobID = blobID
    self.deletedAt = deletedAt
  }
}
