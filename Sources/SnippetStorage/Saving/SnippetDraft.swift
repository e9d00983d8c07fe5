public import Foundation
public import SnippetRecognition

/// A snippet that is not saved yet.
public struct SnippetDraft: Sendable {
  /// The source of the bytes.
  public var content: SnippetContent
  /// The kind; `nil`, the default, is decided by the bytes.
  ///
  /// If the bytes contradict the kind, saving fails. For a format unknown to the store, set
  /// ``mediaType`` too.
  public var kind: SnippetKind?
  /// The media type; `nil`, the default, is decided by the bytes.
  public var mediaType: String?
  /// The title; with `nil`, the default, it is the title inside the content, or else the name of
  /// the file or the first line of the text that says something.
  ///
  /// The title inside is `TITLE` in FLAC and Ogg, `TIT2` of ID3 in MP3 or else the older tag at its
  /// end, `INAM` in WAV, `NAME` in AIFF, `title` in CAF, `©nam` in M4A, the title of Matroska and
  /// WebM, and an uncompressed `Title` before the pixels of a PNG.
  ///
  /// White space is folded to single blanks. At most 1,000 characters.
  public var title: String?
  /// The note of an image or voice: a caption, a description, a transcript; with `nil`, the
  /// default, it is the description inside the content, if there is one.
  ///
  /// A text has none: saving one with a note that is not empty fails. White space at the ends is
  /// removed. At most 65,536 bytes of UTF-8.
  public var note: String?
  /// The tags; none by default.
  ///
  /// Each has 1 to 100 characters on one line and no comma.
  public var tags: [String]
  /// Whether the snippet is pinned; `false` by default.
  public var isPinned: Bool
  /// The time at which the snippet was made; with `nil`, the default, it is the date that a camera
  /// or a recorder wrote into the file, or else that in the name of the file, or else the date of
  /// the file, or else the present.
  public var createdAt: Date?
  /// The universal identity; with `nil`, the default, a new one is made.
  ///
  /// It must be unique in a store. To change an existing snippet use
  /// ``SnippetStore/apply(_:to:)-(_,SnippetID)``; to skip existing ones use
  /// ``SnippetStore/save(contentsOf:skipsDuplicates:onEvent:)``.
  public var uuid: UUID?
  /// The time of the last change; with `nil`, the default, it is ``createdAt``.
  public var modifiedAt: Date?
  /// The encoding of a text; `nil`, the default, is decided by the bytes.
  ///
  /// It is used only if ``kind`` is a text. Bytes that are invalid in this encoding are kept
  /// anyway.
  public var textEncoding: TextEncoding?
  /// The expected SHA-256 of the bytes, 32 bytes long; `nil`, the default, accepts any.
  ///
  /// Other bytes are refused with ``SnippetStoreError/Code/contentChanged``.
  public var sha256: Data?
  /// Knowledge of a module beside the core about the content.
  package var hints = DraftHints()

  /// Makes a draft.
  ///
  /// Properties that you omit are taken from the content.
  ///
  /// - Parameters:
  ///   - content: The source of the bytes.
  ///   - kind: The kind.
  ///   - mediaType: The media type.
  ///   - title: The title.
  ///   - note: The note of an image or voice.
  ///   - tags: The tags.
  ///   - isPinned: Whether the snippet is pinned.
  ///   - createdAt: The time at which the snippet was made.
  ///   - uuid: The universal identity.
  public init(
    _ content: SnippetContent,
    kind: SnippetKind? = nil,
    mediaType: String? = nil,
    title: String? = nil,
    note: String? = nil,
    tags: [String] = [],
    isPinned: Bool = false,
    createdAt: Date? = nil,
    uuid: UUID? = nil
  ) {
    self.content = content
    self.kind = kind
    self.mediaType = mediaType
    self.title = title
    self.note = note
    self.tags = tags
    self.isPinned = isPinned
    self.createdAt = createdAt
    self.uuid = uuid
  }
}

/// Knowledge about a draft that its maker has, or gains while its bytes are read.
package struct DraftHints: Sendable {
  /// Facts about the content, which override those found in the bytes.
  package var facts = MediaFacts()
  /// Whether a draft without bytes, or with a byte order mark alone, is saved as an empty text;
  /// otherwise it is refused.
  package var isTextWhenEmpty = false
  /// The dates that other files tell, beside those in the bytes and the name.
  package var dates = DateEvidence()
  /// Completes the draft once its bytes can be read, before its title and dates are chosen.
  ///
  /// It may be called on any thread, once each time the draft is prepared.
  package var complete:
    (@Sendable (_ reading: DraftReading, _ draft: inout SnippetDraft) throws -> Void)?
}

/// The bytes of a draft that is being prepared.
package struct DraftReading {
  let source: any ByteSource
  /// The encoding of a text; `nil` for other content.
  package let encoding: TextEncoding?
  /// The date of the last change of the file with the bytes; `nil` if they are not in a file.
  package let modifiedAt: Date?

  /// The number of all bytes.
  package var byteCount: Int64 { source.byteCount }

  /// The beginning of a text; `nil` for other content.
  package func text(ofByteCount byteCount: Int) throws -> String? {
    guard let encoding else { return nil }
    return encoding.decodePrefix(try source.bytes(at: 0, count: byteCount))
  }
}
