import GRDB
public import SnippetStorage

extension StoreSync {
  /// Erases the texts of deleted and former texts of changed snippets from the entries of a store, so
  /// that a purge leaves no trace of them.
  ///
  /// The entries of snippets keep former texts until edits and deletions are captured; log files
  /// that could not be sent have them too, and so have entries that came and were not merged, which are
  /// read again. Call this once the snippets are deleted, then
  /// `SnippetStore.purge(before:rewritesFile:)`. Nothing is read or sent, and nothing is erased in
  /// the repository: what was sent stays there, encrypted. Other devices delete the snippets when they
  /// synchronize.
  ///
  /// It waits for a synchronization of another process, as
  /// ``synchronize(allowingManyRemovals:onProgress:)`` does.
  ///
  /// - Parameter store: The store, which has joined a repository, or has left it.
  /// - Returns: The number of snippets that are deleted for good and still in the repository; `nil` if
  ///   the store has never joined one, or has forgotten it.
  /// - Throws: ``SyncError``.
  /// - Complexity: O(*m* log *n*) for *m* changes since the last synchronization, and O(*p*) for *p*
  ///   images and recordings; O(*n*) once the record of changes no longer reaches back to it.
  @discardableResult
  public static func forgetDeleted(in store: SnippetStore) async throws(SyncError) -> Int? {
    let records = SyncRecords(store: store)
    let hasEntries = try await records.read { db in try SyncState(in: db)?.hasEntries == true }
    guard hasEntries else { return nil }
    return try await SyncTurn.hold(of: store, to: "forget deleted snippets") {
      () throws(SyncError) in
      // A copied, restored or former store may have another one that goes on with its log. Under that
      // name its edits would look as if they knew those of the other one, and replace them.
      let author = try await records.isInPlace() ? nil : DeviceID()
      try await records.captureAll(as: author)
      return try await records.write { db in
        guard let state = try SyncState(in: db) else { return nil }
        try state.dropUnsent(in: db)
        let replica = try StoreReplica(state.device, now: records.now(), in: db)
        try replica.eraseAbsentNotes()
        try replica.eraseHiddenNotes()
        // What has come and was not merged may be of a snippet that is deleted here.
        try UnreadEntry.dropAll(in: db)
        return Int(try db.number("SELECT count(*) FROM sync_absent") ?? 0)
      }
    }
  }
}

extension SyncState {
  /// Drops the log files that were made and not sent.
  ///
  /// Without the key nothing tells which entries they have, so all are sent again. Their numbers stay
  /// taken, since some of them may have come to the repository.
  fileprivate func dropUnsent(in db: Database) throws {
    guard sent < sealed else { return }
    let numbers = try db.numbers(
      "SELECT number FROM sync_outbox WHERE number > ? AND length(file) <> ?",
      [sent.databaseValue, DroppedFile.byteCount.databaseValue]
    )
    for number in numbers {
      let file = try db.value(
        "SELECT file FROM sync_outbox WHERE number = ?",
        [number.databaseValue]
      ) { try $0.bytes(0) }
      guard let file else { continue }
      try db.run(
        "UPDATE sync_outbox SET file = ? WHERE number = ?",
        [DroppedFile.mark(of: file).databaseValue, number.databaseValue]
      )
    }
    try PendingTable.markAll(in: db)
  }
}
