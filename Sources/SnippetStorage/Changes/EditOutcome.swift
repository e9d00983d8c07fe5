/// The result of an edit.
public struct EditOutcome: Sendable, Hashable {
  /// The row after the edit.
  public let row: SnippetRow
  /// The revision before the edit; it may come from another writer.
  public let formerRevision: Int64
  /// The edit that undoes this one; it changes nothing if the edit changed nothing.
  public let inverse: SnippetEdit

  /// Describes the result of an edit, for a stand-in of the store.
  ///
  /// - Parameters:
  ///   - row: The row after the edit.
  ///   - formerRevision: The revision before the edit.
  ///   - inverse: The edit that undoes this one. The default is that there is nothing to undo.
  public init(row: SnippetRow, formerRevision: Int64, inverse: SnippetEdit = SnippetEdit()) {
    self.row = row
    self.formerRevision = formerRevision
    self.inverse = inverse
  }

  init(_ edit: SnippetEdit, _ made: MadeEdit, formerText: String?) {
    let (former, row) = (made.former, made.row)
    let (before, after) = (Set(former.tags), Set(row.tags))
    let wasInTrash = former.deletedAt != nil
    self.init(
      row: row,
      formerRevision: former.revision,
      inverse: SnippetEdit(
        // A title that follows the text also follows it back.
        title: edit.title == nil || row.title == former.title ? nil : former.title,
        text: edit.text == nil ? nil : formerText,
        note: made.formerNote,
        isPinned: row.isPinned == former.isPinned ? nil : former.isPinned,
        createdAt: row.createdAt == former.createdAt ? nil : former.createdAt,
        isInTrash: wasInTrash == (row.deletedAt != nil) ? nil : wasInTrash,
        addedTags: before.subtracting(after).sorted(),
        removedTags: after.subtracting(before).sorted()
      )
    )
  }
}
