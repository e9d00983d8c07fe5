import GRDB

extension SnippetStore {
  /// The last change of the store.
  ///
  /// Reads after this call see that change and all before it.
  ///
  /// - Throws: ``SnippetStoreError``.
  public var lastChange: ChangeNumber {
    get async throws(SnippetStoreError) {
      try await connections.read(.rows, to: "find the last change") { db in
        ChangeNumber(rawValue: try ChangeRecord.lastNumber(in: db))
      }
    }
  }

  /// The changes after a known one, by this process or any other.
  ///
  /// The store records at least its last 65,536 changes, in every process that writes and in the
  /// `sqlite3` shell. To follow it, take ``lastChange``, read everything, and continue from there,
  /// even after the store was closed and opened again. An edit can be several changes.
  ///
  /// - Parameters:
  ///   - number: The number of the last change that is known.
  ///   - limit: The most changes to return, 1 or more; 500 by default.
  /// - Returns: The changes; none when there are no later ones.
  /// - Throws: ``SnippetStoreError``: `.invalidInput` for a limit below 1; `.cancelled` when the
  ///   task was.
  /// - Complexity: O(log *n* + *m*) for *m* changes returned.
  public func changes(
    after number: ChangeNumber,
    limit: Int = 500
  ) async throws(SnippetStoreError) -> ChangeBatch {
    try await connections.changeBatch(after: number, limit: limit)
  }

  /// All changes after a known one, and then each new one as it is committed.
  ///
  /// ```swift
  /// var known = try await store.lastChange
  /// // Read everything here.
  /// for try await batch in store.changeBatches(after: known) {
  ///   for change in batch.changes { print(change.snippetID, change.event) }
  ///   known = batch.next
  /// }
  /// ```
  ///
  /// A batch comes at once after a commit by this store, and within
  /// ``Configuration/foreignChangeInterval`` after one by another program. What is committed while
  /// you handle a batch comes in the next one. The sequence ends when the task is cancelled or the
  /// store is closed, and never by itself.
  ///
  /// - Parameters:
  ///   - number: The number of the last change that is known.
  ///   - limit: The most changes of a batch; 500 by default. The iteration throws `.invalidInput`
  ///     for one below 1.
  /// - Returns: The batches. Each iteration starts after the same change. Waiting for one throws
  ///   ``SnippetStoreError``; the next call of the iterator tries again.
  public func changeBatches(
    after number: ChangeNumber,
    limit: Int = 500
  ) -> some AsyncSequence<ChangeBatch, SnippetStoreError> & Sendable {
    ChangeBatches(
      connections: connections,
      changeFeed: changeFeed,
      number: number,
      limit: limit
    )
  }
}
