/// The result of an edit.
public struct EditOutcome: Sendable, Hashable {
  /// The row after the edit.
  public let row: SnippetRow
  /// The revision before the edit; it may come from another writer.
  public let formerRevision: Int64
  /// The edit that undoes this one; it changes nothing if the edit changed nothing.
  public let inverse: SnippetEdit

  init(_ edit: SnippetEdit, former: SnippetRow, row: SnippetRow, formerText: String?) {
    self.row = row
    formerRevision = former.revision
    let (before, after) = (Set(former.tags), Set(row.tags))
    inverse = SnippetEdit(
      title: row.title == former.title ? nil : former.title,
      text: edit.text == nil ? nil : formerText,
      isPinned: row.isPinned == former.isPinned ? nil : former.isPinned,
      addedTags: before.subtracting(after).sorted(),
      removedTags: after.subtracting(before).sorted()
    )
  }
}
