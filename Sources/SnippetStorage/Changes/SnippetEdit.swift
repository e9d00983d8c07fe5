public import Foundation

/// An edit of one snippet.
///
/// A field that is `nil` stays as it is; an empty title, text or note is written.
public struct SnippetEdit: Sendable, Hashable {
  /// The new title; the rules of ``SnippetDraft/title`` apply.
  public var title: String?
  /// The new text; only for a text snippet.
  ///
  /// A title that was made of the former text, as for a draft without one, is made of the new text
  /// too; any other title stays.
  public var text: String?
  /// The new note; only for an image or voice, and the rules of ``SnippetDraft/note`` apply.
  ///
  /// An empty one removes the note.
  public var note: String?
  /// Whether to pin or unpin the snippet.
  public var isPinned: Bool?
  /// The new time at which the snippet was made.
  public var createdAt: Date?
  /// Whether to move the snippet to the trash or bring it back.
  ///
  /// It is brought back before the rest is changed, and moved to the trash after it.
  public var isInTrash: Bool?
  /// Tags to add; the rules of ``SnippetDraft/tags`` apply.
  public var addedTags: [String]
  /// Tags to remove; a tag that the snippet does not have is ignored.
  public var removedTags: [String]

  /// Makes an edit; omitted fields stay as they are.
  ///
  /// - Parameters:
  ///   - title: The new title.
  ///   - text: The new text.
  ///   - note: The new note.
  ///   - isPinned: Whether to pin or unpin the snippet.
  ///   - createdAt: The new time at which the snippet was made.
  ///   - isInTrash: Whether to move the snippet to the trash or bring it back.
  ///   - addedTags: Tags to add.
  ///   - removedTags: Tags to remove.
  public init(
    title: String? = nil,
    text: String? = nil,
    note: String? = nil,
    isPinned: Bool? = nil,
    createdAt: Date? = nil,
    isInTrash: Bool? = nil,
    addedTags: [String] = [],
    removedTags: [String] = []
  ) {
    self.title = title
    self.text = text
    self.note = note
    self.isPinned = isPinned
    self.createdAt = createdAt
    self.isInTrash = isInTrash
    self.addedTags = addedTags
    self.removedTags = removedTags
  }

  /// Whether the edit only moves a snippet to the trash or out of it.
  var isMove: Bool { isInTrash != nil && self == SnippetEdit(isInTrash: isInTrash) }
}
