import Foundation
import SnippetStorage

/// A note of Google Keep in a file.
struct KeepItem: ImportItem {
  let path: String
  let stamp: FileStamp
  let note: KeepNote
  /// The hash of the file.
  let sha256: Data
  /// A word that tells the note from others of the same moment; `nil` if there are none.
  var distinction: String?

  var tags: [String] { note.description.tags }
  var notebooks: [String] { [] }
  var identity: String? { note.createdMicroseconds.map { "\($0)" } }

  func read() -> ItemReading {
    var draft = SnippetDraft(.text(note.text))
    note.description.complete(&draft)
    draft.createdAt = draft.createdAt ?? draft.modifiedAt ?? stamp.modifiedAt
    draft.modifiedAt = draft.modifiedAt ?? draft.createdAt
    draft.uuid = note.identity(distinction)
    return ItemReading(
      draft: draft,
      sha256: sha256,
      unread: note.description.unread,
      unreadNames: note.description.unreadNames,
      isTrashed: note.description.isTrashed,
      editedAt: note.description.modifiedAt
    )
  }
}
