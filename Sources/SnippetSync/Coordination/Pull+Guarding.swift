import Foundation
import GRDB
import SnippetStorage

extension Pull {
  /// Refuses a synchronization by which much of what is here would go, before anything is merged.
  ///
  /// What has come waits until it is allowed, or until its devices think better of it.
  ///
  /// - Throws: ``SyncError``, for example ``SyncError/Code/manyRemovals``.
  func requireFewRemovals() async throws(SyncError) {
    guard try await removals().areMany else { return }
    // An edit of a moment ago keeps its snippet.
    try await records.captureAll()
    let removals = try await removals()
    guard removals.areMany else { return }
    throw SyncError(
      .manyRemovals,
      "synchronize",
      because: """
        \(removals.goingCount) of \(removals.livingCount) snippets would be deleted or moved to the \
        trash
        """,
      do: "No snippet was changed. If that is meant, allow it (snip sync --yes)."
    )
  }

  /// Refuses to read for a choice of the backup while the head of a device is missing that has sent
  /// something.
  ///
  /// Its log would be read once it is there, and replace what the backup holds.
  ///
  /// - Throws: ``SyncError/Code/unreachable``.
  func requireAllHeads(
    among heads: [DeviceID],
    _ devices: [DeviceID: KnownDevice]
  ) throws(SyncError) {
    let late = devices.values.filter { $0.wroteAt != nil && !heads.contains($0.device) }
    guard let first = late.min(by: { $0.number < $1.number }) else { return }
    throw SyncError(
      .unreachable,
      "read the log of “\(first.name)”",
      because: "its head has not arrived",
      do: Self.adviceOnLateLog
    )
  }

  /// The advice where a choice of the backup waits for a log.
  static let adviceOnLateLog = """
    Synchronize again once the folder is complete. If the log is lost for good, mend it on a \
    device that had received it (snip sync check --repair); if there is none, leave the repository \
    and join it again.
    """

  /// The most snippets that may go without a question.
  private static let uncheckedRemovals = 50

  private struct Removals: Sendable {
    var goingCount = 0
    var livingCount = 0

    var areMany: Bool { goingCount > Pull.uncheckedRemovals && goingCount * 5 > livingCount }
  }

  /// Counts the snippets that go where the entries that wait are merged.
  private func removals() async throws(SyncError) -> Removals {
    try await records.read { db in
      var removals = Removals()
      let suspects = try UnreadEntry.suspects(in: db)
      guard suspects.count > Self.uncheckedRemovals, let state = try SyncState(in: db) else {
        return removals
      }
      let replica = try StoreReplica(state.device, now: 0, in: db)
      let living = try db.number("SELECT count(*) FROM snippet WHERE deleted_at IS NULL") ?? 0
      removals.livingCount = Int(living)
      for uuid in suspects {
        let entries = try UnreadEntry.waiting(of: uuid, in: db).compactMap { try? $0.decoded() }
        let known = try replica.known(uuid)?.entry
        let all = [known].compactMap(\.self) + entries
        if !entries.isEmpty, Entry.merged(all).entry.isGone { removals.goingCount += 1 }
      }
      return removals
    }
  }
}

extension UnreadEntry {
  /// Finds the snippets here that are not in the trash, and that an entry which waits may move there or
  /// delete.
  fileprivate static func suspects(in db: Database) throws -> [UUID] {
    // Only such entries have these keys, or no version, and few are decoded so.
    try db.values(
      """
      SELECT DISTINCT sync_unread.uuid FROM sync_unread
      JOIN snippet ON snippet.uuid = sync_unread.uuid
      WHERE version < ? AND deleted_at IS NULL
        AND (
          instr(entry, '"tseen"') > 0 OR instr(entry, '"of":[]') > 0 OR instr(entry, '"gone"') > 0
        )
      """,
      [EntryCoding.version.databaseValue]
    ) { try $0.uuid(0) }
  }
}
