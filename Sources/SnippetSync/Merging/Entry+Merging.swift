import Foundation
import SnippetBase
import SnippetStorage

extension Entry {
  /// Merges entries of one snippet, by the rules of the article on synchronization.
  ///
  /// The result depends neither on the order of the entries nor on how often one is among them.
  ///
  /// - Parameter entries: The entries; at least one.
  /// - Returns: The merged entry, and its conflict copies.
  static func merged(_ entries: [Entry]) -> (entry: Entry, copies: [Entry]) {
    var result = entries[0]
    for entry in entries.dropFirst() { result.merge(entry) }
    return (result, result.versionCopies + result.noteCopies)
  }

  /// Makes a conflict copy for each version that is not shown.
  private var versionCopies: [Entry] {
    content.hidden.map { conflictCopy(of: $0.content, at: $0.stamp) }
  }

  /// Makes a conflict copy for each text of the note that has no room there.
  var noteCopies: [Entry] {
    guard let shown = content.shown, shown.kind != .text else { return [] }
    return note.leftOut.map { stamp, text in
      var copy = conflictCopy(of: shown, at: stamp)
      // By the text: devices that fold a twin apart give it stamps of their own.
      copy.uuid = Self.conflictUUID(of: Data(text.utf8), in: uuid)
      copy.note = NoteVersions(texts: [stamp: text], known: [stamp.device: stamp.milliseconds])
      copy.copied = nil
      return copy
    }
  }

  /// The identities that the conflict copies of its versions have, if there are any, of those too that
  /// are shown.
  var copyUUIDs: [UUID] {
    content.versions.keys.sorted().map { Self.conflictUUID(of: $0, in: uuid) }
      + noteCopies.map(\.uuid)
  }

  private mutating func merge(_ other: Entry) {
    content.merge(other.content)
    title.merge(other.title)
    note.merge(other.note)
    pin.merge(other.pin)
    createdAt.merge(other.createdAt)
    modifiedAt.merge(other.modifiedAt)
    tags.merge(other.tags) { one, other in
      var mark = one
      mark.merge(other)
      return mark
    }
    trash.merge(other.trash)
    trashedVersions.join(other.trashedVersions)
    trashedNotes.join(other.trashedNotes)
    copied = [copied, other.copied].compactMap(\.self).max()
    // Their rules are not known here. No device loses them, and all agree.
    others.merge(other.others, uniquingKeysWith: max)
  }

  /// The tag of the copies, by which people find them.
  static let conflictTag = "conflict"

  /// Whether the snippet is, or was tagged as, a conflict copy.
  var isConflictCopy: Bool { tags[Self.conflictTag] != nil }

  /// Makes a snippet of its own from a version that lost against another one.
  ///
  /// It follows from the version alone, so that all devices make the same copy, in whatever order
  /// they learn of the versions.
  private func conflictCopy(of content: SyncedContent, at stamp: Stamp) -> Entry {
    let date = min(stamp.milliseconds, Stamp.dates.upperBound)
    return Entry(
      uuid: Self.conflictUUID(of: stamp, in: uuid),
      content: ContentVersions(content, stamp),
      title: Register(.title(content.title), stamp),
      pin: Register(.unpinned, stamp),
      createdAt: Register(date, stamp),
      modifiedAt: Register(date, stamp),
      tags: [Self.conflictTag: Register(.on(Self.conflictTag), stamp)],
      trash: Register(.out, stamp),
      copied: CopiedVersion(uuid: uuid, stamp: stamp)
    )
  }

  private static func conflictUUID(of stamp: Stamp, in uuid: UUID) -> UUID {
    let time = withUnsafeBytes(of: stamp.milliseconds.bigEndian) { Data($0) }
    return conflictUUID(of: time + stamp.device.bytes, in: uuid)
  }

  private static func conflictUUID(of bytes: Data, in uuid: UUID) -> UUID {
    let all = Data("conflict".utf8) + uuid.bytes + bytes
    return ContentHash.of(all).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
