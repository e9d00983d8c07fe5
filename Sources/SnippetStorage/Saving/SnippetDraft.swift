public import Foundation

/// A snippet that is not saved yet.
public struct SnippetDraft: Sendable {
  /// Where the bytes come from.
  public var content: SnippetContent
  /// The kind; `nil`, the default, lets the bytes decide.
  ///
  /// A kind that the bytes contradict is an error. For a format that the store does not know, set
  /// ``mediaType`` too.
  public var kind: SnippetKind?
  /// The media type; `nil`, the default, lets the bytes decide.
  public var mediaType: String?
  /// The title; `nil`, the default, takes the one inside the content, else the name of the file or
  /// the first line of the text.
  ///
  /// The title inside is the `TITLE` of FLAC and Ogg, `TIT2` of ID3 in an MP3 or else its older tag
  /// at the end, `INAM` of WAV, `NAME` of AIFF, `title` of CAF, `©nam` of M4A, that of Matroska
  /// and WebM, and the uncompressed `Title` that a PNG has before its pixels.
  ///
  /// White space is folded to single blanks. At most 1,000 characters.
  public var title: String?
  /// The tags; none by default.
  ///
  /// Each has 1 to 100 characters on one line and no comma.
  public var tags: [String]
  /// Whether the snippet is pinned; not by default.
  public var isPinned: Bool
  /// When the snippet was made; `nil`, the default, takes the date that a camera wrote into a
  /// picture or a recorder into an M4A, a WebM or a Matroska file, else the date of the file, else
  /// the present.
  public var createdAt: Date?
  /// The identity everywhere; `nil`, the default, makes a new one.
  ///
  /// No two snippets of a store have the same: change the one that is there with
  /// ``SnippetStore/update(_:with:)``, or skip the draft with
  /// ``SnippetStore/save(contentsOf:skipsDuplicates:onEvent:)``.
  public var uuid: UUID?
  /// When the snippet was last changed; `nil`, the default, takes the date when it was made.
  public var modifiedAt: Date?
  /// How the bytes of a text are read; `nil`, the default, lets them decide.
  ///
  /// It counts only for a draft whose ``kind`` is a text. Bytes that are invalid in it are kept all
  /// the same.
  public var textEncoding: TextEncoding?
  /// The SHA-256 that the bytes must have, 32 bytes; `nil`, the default, takes any.
  ///
  /// Other bytes are refused with ``SnippetStoreError/Code/contentChanged``.
  public var sha256: Data?
  /// What a module beside the core knows of the content.
  package var hints = DraftHints()

  /// Describes a snippet.
  ///
  /// The content decides what is not given.
  ///
  /// - Parameters:
  ///   - content: Where the bytes come from.
  ///   - kind: The kind.
  ///   - mediaType: The media type.
  ///   - title: The title.
  ///   - tags: The tags.
  ///   - isPinned: Whether the snippet is pinned.
  ///   - createdAt: When the snippet was made.
  ///   - uuid: The identity everywhere.
  public init(
    _ content: SnippetContent,
    kind: SnippetKind? = nil,
    mediaType: String? = nil,
    title: String? = nil,
    tags: [String] = [],
    isPinned: Bool = false,
    createdAt: Date? = nil,
    uuid: UUID? = nil
  ) {
    self.content = content
    self.kind = kind
    self.mediaType = mediaType
    self.title = title
    self.tags = tags
    self.isPinned = isPinned
    self.createdAt = createdAt
    self.uuid = uuid
  }
}
