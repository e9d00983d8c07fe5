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
  /// Of the version that a fold takes another device is the author, and the trash stays as it is.
  var maker: DeviceID? {
    content.shown?.kind == .text ? content.last?.device : trash.stamp.device
  }

  /// Takes the version of a twin, like that of an edit, so that it brings the snippet back where others
  /// have deleted that without knowing the twin, which is gone.
  ///
  /// It keeps its stamp, so that all devices take the same. A later one would look as if edits of its device
  /// were known that have not come yet, and they would be lost.
  private mutating func takeVersion(of twin: Entry, on device: DeviceID) {
    guard let shown = content.shown, let stamp = twin.content.last else { return }
    if content.known.knows(stamp) {
      // Who has deleted the snippet may know it.
      content.replace(by: shown, at: stamp.milliseconds, on: device)
    } else {
      content.versions[stamp] = shown
      content.known.add(stamp)
    }
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
    if isUnknown || note.texts.count > textCount { takeVersion(of: twin, on: device) }
    tags.merge(twin.tags) { one, other in
      var mark = one
      mark.merge(other)
      return mark
    }
  }
}
