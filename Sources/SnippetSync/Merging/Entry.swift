import Foundation
import SnippetStorage

/// The state of one snippet as devices exchange it: every field with the stamp of its last edit.
///
/// Entries form a semilattice: merging depends on no order, and to merge one again changes nothing.
struct Entry: Hashable, Sendable {
  var uuid: UUID
  var content: ContentVersions
  var title: Register<TitleMark>
  var note = NoteVersions()
  var pin: Register<PinMark>
  var createdAt: Register<Int64>
  var modifiedAt: Register<Int64>
  /// The tags that the snippet carries or has carried, by their folded names.
  var tags: [String: Register<TagMark>] = [:]
  var trash: Register<TrashMark>
  /// The last version by each device that was known where the snippet was moved to the trash.
  var trashedVersions: KnownEdits = [:]
  /// The last edit of the note by each device that was known there.
  var trashedNotes: KnownEdits = [:]
  /// The version that a conflict copy was made of; `nil` for other snippets.
  var copied: CopiedVersion?
  /// The fields that a newer version of this package has written, as JSON by their keys.
  var others: [String: String] = [:]

  /// Whether the snippet is deleted for good.
  ///
  /// A version that the deleter did not know brings it back.
  var isDeleted: Bool { content.versions.isEmpty }

  /// The moment in milliseconds since when the snippet is in the trash; `nil` if it is not.
  ///
  /// A version that was not known where it was moved there brings it back, and so does a text of the
  /// note: the versions alone do not tell, since a later one may have joined it.
  var deletedAt: Int64? {
    guard case .since(let date) = trash.value, let last = content.last, trashedVersions.knows(last),
      note.isKnown(to: trashedNotes)
    else { return nil }
    return date
  }

  /// Whether the snippet is deleted for good, or in the trash.
  var isGone: Bool { isDeleted || deletedAt != nil }

  /// The title to show.
  var shownTitle: String {
    switch title.value {
    case .title(let title): title
    case .ofContent: content.shown?.title ?? ""
    }
  }

  /// The note to show; empty for a text.
  var shownNote: String { content.shown?.kind == .text ? "" : note.shown }

  /// The tags that the snippet carries, in the order of their folded names.
  var shownTags: [String] {
    tags.sorted { $0.key < $1.key }.compactMap { _, mark in
      if case .on(let tag) = mark.value { tag } else { nil }
    }
  }

  /// A tag as it is compared: the store takes two for one that differ in the case of ASCII alone.
  static func folded(_ tag: String) -> String {
    String(decoding: tag.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// All that is equal where two entries show the same snippet in the same state.
  ///
  /// Spellings of tags stay with each device.
  func showsSame(as other: Entry) -> Bool {
    guard isDeleted == other.isDeleted else { return false }
    return isDeleted
      || (content.shown == other.content.shown && shownTitle == other.shownTitle
        && shownNote == other.shownNote
        && pin.value == other.pin.value && createdAt.value == other.createdAt.value
        && modifiedAt.value == other.modifiedAt.value && deletedAt == other.deletedAt
        && shownTags.map(Self.folded) == other.shownTags.map(Self.folded))
  }
}

/// A version of a snippet that another one beat, by which its conflict copy is known.
struct CopiedVersion: Hashable, Comparable, Sendable {
  /// The snippet that lost the version.
  var uuid: UUID
  var stamp: Stamp

  static func < (one: CopiedVersion, other: CopiedVersion) -> Bool {
    one.stamp == other.stamp ? one.uuid.words < other.uuid.words : one.stamp < other.stamp
  }
}
