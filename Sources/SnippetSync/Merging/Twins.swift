import SnippetStorage

extension Entry {
  /// Whether two snippets are one that was brought to two devices: the same picture or recording,
  /// or a text from the same file of an imported folder.
  ///
  /// Neither is in the trash, and each content comes from another device: equal snippets of one
  /// device are two because a person made two.
  ///
  /// A conflict copy is no twin. It holds what its original no longer shows, or will not show once
  /// all has arrived: one device could fold the copy into the original, another the original's
  /// version into the copy, and both would go.
  func isTwin(of other: Entry) -> Bool {
    guard uuid != other.uuid, !isDeleted, !other.isDeleted, deletedAt == nil,
      other.deletedAt == nil, !isConflictCopy, !other.isConflictCopy,
      content.stamp.device != other.content.stamp.device,
      let one = content.content, let two = other.content.content, one.hasBytes(of: two)
    else { return false }
    return one.kind != .text || (one.file != nil && one.file == two.file)
  }

  /// Folds a twin into this snippet, which gets its note and its tags.
  ///
  /// Of the title, the pin and the dates, the last edit of either counts.
  mutating func fold(_ twin: Entry) {
    title.merge(twin.title)
    pin.merge(twin.pin)
    createdAt.merge(twin.createdAt)
    modifiedAt.merge(twin.modifiedAt)
    note.fold(twin.note)
    tags.merge(twin.tags) { one, other in
      var mark = one
      mark.merge(other)
      return mark
    }
  }
}
