public import Foundation

/// The cheap metadata of a snippet: everything a cell needs before a blob is read.
///
/// A row never holds a payload. Read the text of a text snippet and the bytes of an image or a
/// recording separately, by ``blobID`` or with the store's content calls.
public struct SnippetRow: Sendable, Hashable, Identifiable {
  /// The identity within the store.
  public let id: SnippetID
  /// The universal identity.
  ///
  /// It stays the same in an export, in a backup and in another store.
  public let uuid: UUID
  /// The kind: text, image or voice.
  public let kind: SnippetKind
  /// The title; may be empty.
  public let title: String
  /// The beginning of a text, or of the note of an image or voice, on one line, at most
  /// ``maximumPreviewLength`` characters; empty without a note.
  public let preview: String
  /// The time at which the snippet was made, to the millisecond.
  public let createdAt: Date
  /// The time of the last change, to the millisecond.
  public let modifiedAt: Date
  /// Whether the snippet is pinned.
  public let isPinned: Bool
  /// The tags, ordered by name.
  public let tags: [String]
  /// The size of the content in bytes.
  public let byteCount: Int64
  /// The media type of the content, such as `image/png`.
  public let mediaType: String
  /// The facts of the content that are known without decoding it.
  public let facts: MediaFacts
  /// The revision, which rises with every change of the snippet.
  public let revision: Int64
  /// The blob that holds the content; `nil` for a short text, which is stored as text.
  public let blobID: BlobID?
  /// The time at which the snippet was moved to the trash, to the millisecond; `nil` outside the
  /// trash.
  public let deletedAt: Date?

  /// The most characters in ``preview``: 200.
  public static let maximumPreviewLength = TextPreview.maximumLength

  /// Makes a row by hand, for previews and tests.
  ///
  /// Stores make their own rows.
  ///
  /// - Parameters:
  ///   - id: The identity within the store.
  ///   - uuid: The universal identity.
  ///   - kind: The kind.
  ///   - title: The title.
  ///   - preview: The beginning of a text or a note.
  ///   - createdAt: The time at which the snippet was made.
  ///   - modifiedAt: The time of the last change.
  ///   - isPinned: Whether the snippet is pinned.
  ///   - tags: The tags.
  ///   - byteCount: The size of the content in bytes.
  ///   - mediaType: The media type of the content.
  ///   - facts: The facts of the content that are known without decoding it.
  ///   - revision: The revision.
  ///   - blobID: The blob that holds the content.
  ///   - deletedAt: The time at which the snippet was moved to the trash.
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

// Identities are plain numbers, kinds are words, and the encoder chooses the form of dates. Every
// property is encoded under its name, and left out if it is `nil`. The encoded form stays the same
// from one version of the package to the next.
extension SnippetRow: Codable {
  /// Decodes a row; properties that may be empty or unknown may be missing.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError`, also for a size below 0.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let byteCount = try container.decode(Int64.self, forKey: .byteCount)
    guard byteCount >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .byteCount,
        in: container,
        debugDescription: "A size must not be below 0."
      )
    }
    self.init(
      id: try container.decode(SnippetID.self, forKey: .id),
      uuid: try container.decode(UUID.self, forKey: .uuid),
      kind: try container.decode(SnippetKind.self, forKey: .kind),
      title: try container.decode(String.self, forKey: .title),
      preview: try container.decodeIfPresent(String.self, forKey: .preview) ?? "",
      createdAt: try container.decode(Date.self, forKey: .createdAt),
      modifiedAt: try container.decode(Date.self, forKey: .modifiedAt),
      isPinned: try container.decodeIfPresent(Bool.self, forKey: .isPinned) ?? false,
      tags: try container.decodeIfPresent([String].self, forKey: .tags) ?? [],
      byteCount: byteCount,
      mediaType: try container.decode(String.self, forKey: .mediaType),
      facts: try container.decodeIfPresent(MediaFacts.self, forKey: .facts) ?? MediaFacts(),
      revision: try container.decodeIfPresent(Int64.self, forKey: .revision) ?? 1,
      blobID: try container.decodeIfPresent(BlobID.self, forKey: .blobID),
      deletedAt: try container.decodeIfPresent(Date.self, forKey: .deletedAt)
    )
  }
}
