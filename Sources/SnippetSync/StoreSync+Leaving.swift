public import SnippetStorage

extension StoreSync {
  /// Ends the synchronization of a store; its snippets stay, and so does the repository.
  ///
  /// The store keeps what it knew of the repository. Once it joins that again, edits and deletions
  /// of both sides come together as those of a device that was away for a while. A store that
  /// forgets, or joins another repository, meets others as a new one: it brings back what they have
  /// deleted in between, and gets back what was deleted here.
  ///
  /// It waits for a synchronization of another process, as
  /// ``synchronize(allowingManyRemovals:onProgress:)`` does.
  ///
  /// - Parameters:
  ///   - store: The store. Nothing happens if it has not joined a repository, unless it has left one
  ///     and forgets that.
  ///   - forgets: Whether to forget what was known of the repository. The default is `false`.
  /// - Throws: ``SyncError``.
  public static func leave(
    _ store: SnippetStore,
    forgetting forgets: Bool = false
  ) async throws(SyncError) {
    try await SyncTurn.hold(of: store, to: "leave the repository") { () throws(SyncError) in
      try await SyncRecords(store: store).write { db in
        if forgets { return try SyncState.erase(in: db) }
        guard var state = try SyncState(in: db), state.isJoined else { return }
        // Its log may have what a backup has not.
        let isKnown = !state.isRestored && !state.keepsBackup
        state.place = SyncState.formerPlace
        try state.endLog(isKnown: isKnown, in: db)
      }
    }
  }

  /// Counts the snippets that were deleted for good since a store left a repository.
  ///
  /// Joining that again deletes them on all its devices.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - repository: The identity of the repository, in hexadecimal digits.
  /// - Returns: The number; `nil` if the store has not left this repository, or has forgotten it.
  /// - Throws: ``SyncError``.
  /// - Complexity: O(*n*) in the number of snippets.
  public static func deletionCount(
    of store: SnippetStore,
    sinceLeaving repository: String
  ) async throws(SyncError) -> Int? {
    try await SyncRecords(store: store).read { db in
      guard let state = try SyncState(in: db), !state.isJoined, state.repository == repository
      else { return nil }
      let count = try db.number(
        """
        SELECT (SELECT count(*) FROM sync_absent WHERE pending = 1)
          + (
            SELECT count(*) FROM sync_row
            WHERE published = 1 AND NOT EXISTS (SELECT 1 FROM snippet WHERE id = snippet_id)
          )
        """
      )
      return Int(count ?? 0)
    }
  }
}
