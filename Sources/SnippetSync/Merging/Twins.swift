import SnippetStorage

extension Entry {
  /// Whether two snippets are one that was brought to two devices: the same picture or recording,
  /// or a text from the same file of an imported folder.
  ///
  /// Neither is in the trash, and each comes from another device: equal snippets of one device are two
  /// because a person made two.
  ///
  /// A conflict copy is no twin. It holds what its original no longer shows, or will not show once
  /// all has arrived: one device could fold the copy into the original, another the original's
  /// version into the copy, and both would go. Nor is a snippet one that has such copies.
  func isTwin(of other: Entry) -> Bool {
    guard uuid != other.uuid, !isDeleted, !other.isDeleted, deletedAt == nil,
      other.deletedAt == nil, !isConflictCopy, !other.isConflictCopy,
      content.hidden.isEmpty, other.content.hidden.isEmpty, maker != other.maker,
      let one = content.shown, let two = other.content.shown, one.hasBytes(of: two)
    else { return false }
    return one.kind != .text || (one.file != nil && one.file == two.file)
  }

  /// The device that the snippet comes from: the author of a text; of others the one that made them, or
  /// moved them to the trash or back last.
  ///
  /// Of the version that a fold makes another device is the author, and the trash stays as it is.
  var maker: DeviceID? {
    content.shown?.kind == .text ? content.last?.device : trash.stamp.device
  }

  /// Makes a version for a twin, like one of an edit, so that it brings the snippet back where others
  /// have deleted that without knowing the twin, which is gone.
  ///
  /// It follows from both, so that all devices make the same.
  private mutating func makeVersion(of twin: Entry) {
    guard let shown = content.shown, let own = content.last, let other = twin.content.last
    else { return }
    // No device may know it already.
    let replaced = max(own.milliseconds, content.known[other.device] ?? own.milliseconds)
    let time = Stamp.moment(of: other.milliseconds, replacing: replaced)
    content = ContentVersions(shown, Stamp(time, other.device), replacing: content.known)
  }

  /// Folds a twin into this snippet, which gets its note and its tags.
  ///
  /// Of the title, the pin and the dates, the last edit of either counts.
  ///
  /// - Parameters:
  ///   - twin: The twin.
  ///   - device: This device.
  mutating func fold(_ twin: Entry, on device: DeviceID) {
    title.merge(twin.title)
    pin.merge(twin.pin)
    createdAt.merge(twin.createdAt)
    modifiedAt.merge(twin.modifiedAt)
    let textCount = note.texts.count
    note.fold(twin.note, on: device)
    // A text is in its file still, and a folder of many needs not be sent twice.
    let isUnknown =
      content.shown?.kind != .text && twin.content.last.map(content.known.knows) == false
    if isUnknown || note.texts.count > textCount { makeVersion(of: twin) }
    tags.merge(twin.tags) { one, other in
      var mark = one
      mark.merge(other)
      return mark
    }
  }
}
