/// What an edit came to.
public struct EditOutcome: Sendable, Hashable {
  /// The row after the edit.
  public let row: SnippetRow
  /// The revision that the edit found, which others may have made.
  public let formerRevision: Int64
  /// The edit that takes this one back; it changes nothing where the edit did not.
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
