import Foundation
import GRDB
import SnippetStorage

extension Pull {
  /// Refuses a synchronization by which much of what is here would go, before anything is merged.
  ///
  /// - Parameter news: The new log files; gets how far removals were counted, since only what was
  ///   counted may be merged.
  /// - Throws: ``SyncError``, for example ``SyncError/Code/manyRemovals``.
  func requireFewRemovals(by news: inout [News]) async throws(SyncError) {
    let kept = try await records.read { db in try UnreadEntry.outdated(limit: .max, in: db) }
      .compactMap { try? $0.decoded() }
    guard !news.isEmpty || !kept.isEmpty else { return }
    // All are counted only where it matters: that takes a while in a large store.
    let areEnough = try await records.read { db in
      try db.number(
        """
        SELECT count(*) FROM (
          SELECT 1 FROM snippet WHERE deleted_at IS NULL LIMIT \(Self.uncheckedRemovals + 1)
        )
        """
      ) ?? 0 > Int64(Self.uncheckedRemovals)
    }
    guard areEnough else { return }
    // Few entries remove something, so others are not held in memory.
    var gone = Set(kept.filter(\.isGone).map(\.uuid))
    var room = Self.keptByteLimit
    for place in news.indices {
      try await readEntries(of: &news[place], keeping: &room) { entry in
        if entry.isGone { gone.insert(entry.uuid) }
      }
    }
    guard gone.count > Self.uncheckedRemovals else { return }
    var fates: [UUID: Entry] = [:]
    func add(_ entry: Entry) {
      guard gone.contains(entry.uuid) else { return }
      let entries = [fates[entry.uuid], entry.outline].compactMap(\.self)
      fates[entry.uuid] = Entry.merged(entries).entry
    }
    kept.forEach(add)
    for place in news.indices {
      try await readEntries(of: &news[place], keeping: &room, add)
    }
    guard try await removals(by: fates).areMany else { return }
    // An edit of a moment ago keeps its snippet.
    try await records.captureAll()
    let removals = try await removals(by: fates)
    guard removals.areMany else { return }
    throw SyncError(
      .manyRemovals,
      "synchronize",
      because: """
        \(removals.goingCount) of \(removals.livingCount) snippets would be deleted or moved to the \
        trash
        """,
      do: "Nothing was received. If that is meant, allow it (snip sync --yes)."
    )
  }

  /// The most snippets that may go without a question.
  private static let uncheckedRemovals = 50
  /// The most bytes of entries to keep, so that they are not read again.
  private static let keptByteLimit = 16 << 20

  private struct Removals: Sendable {
    var goingCount = 0
    var livingCount = 0

    var areMany: Bool { goingCount > Pull.uncheckedRemovals && goingCount * 5 > livingCount }
  }

  /// Reads the entries of new log files, as far as these are there and whole.
  private func readEntries(
    of new: inout News,
    keeping room: inout Int,
    _ body: (Entry) -> Void
  ) async throws(SyncError) {
    let last = new.counted ?? new.last
    var number = new.device.applied
    do {
      while number < last, let arrival = try await arrival(number + 1, of: new) {
        number += 1
        for received in arrival.entries { body(received.entry) }
        if new.arrivals[number] == nil, arrival.byteCount <= room {
          new.arrivals[number] = arrival
          room -= arrival.byteCount
        }
      }
    } catch {
      // Merging what comes before it ends there too, and says so.
      guard [.damaged, .wrongKey].contains(error.code) else { throw error }
    }
    new.counted = number
  }

  /// Counts the snippets that go where entries are merged.
  private func removals(by fates: [UUID: Entry]) async throws(SyncError) -> Removals {
    let now = records.now()
    return try await records.read { db in
      guard let state = try SyncState(in: db) else { return Removals() }
      let replica = try StoreReplica(state.device, now: now, in: db)
      let living = try db.number("SELECT count(*) FROM snippet WHERE deleted_at IS NULL") ?? 0
      var removals = Removals(livingCount: Int(living))
      for (uuid, fate) in fates {
        let living = try db.number(
          "SELECT 1 FROM snippet WHERE uuid = ? AND deleted_at IS NULL",
          [uuid.bytes.databaseValue]
        )
        guard living != nil else { continue }
        let known = try replica.known(uuid)?.entry
        if Entry.merged([known, fate].compactMap(\.self)).entry.isGone { removals.goingCount += 1 }
      }
      return removals
    }
  }
}

extension Entry {
  /// The entry without its texts and tags: what tells whether its snippet is there.
  fileprivate var outline: Entry {
    var outline = self
    outline.content.content = nil
    outline.title.value = .erased
    (outline.note, outline.tags, outline.others) = (NoteVersions(), [:], [:])
    return outline
  }
}
