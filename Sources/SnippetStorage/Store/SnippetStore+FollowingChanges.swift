import GRDB
import SnippetBase

extension SnippetStore {
  /// The number of the last change of the store.
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

  /// Returns the changes after a known one, by this process or any other.
  ///
  /// The store records at least its last 65,536 changes, by every process that writes and by the
  /// `sqlite3` shell. To follow it, take ``lastChange``, read everything, and continue from there,
  /// even after the store was closed and opened again. One edit can cause several changes.
  ///
  /// - Parameters:
  ///   - number: The number of the last known change.
  ///   - limit: The most changes to return, at least 1; 500 by default.
  /// - Returns: The changes; empty if there are no later ones.
  /// - Throws: ``SnippetStoreError``: `.invalidInput` for a limit below 1; `.cancelled` if the task
  ///   was cancelled.
  /// - Complexity: O(log *n* + *m*) for *m* changes returned.
  public func changes(
    after number: ChangeNumber,
    limit: Int = 500
  ) async throws(SnippetStoreError) -> ChangeBatch {
    try await connections.changeBatch(after: number, limit: limit)
  }

  /// Returns all changes after a known one, and then each new one as it is committed.
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
  /// A batch arrives at once after a commit by this store, and within
  /// ``Configuration/foreignChangeInterval`` after one by another program. Commits made while you
  /// handle a batch come in the next one. The sequence ends when the task is cancelled or the store
  /// is closed, and never by itself. After an error start again from the last batch that you got.
  ///
  /// - Parameters:
  ///   - number: The number of the last known change.
  ///   - limit: The most changes in a batch; 500 by default. If it is below 1, the iteration throws
  ///     `.invalidInput`.
  /// - Returns: The batches. Each iteration starts after the same change. Waiting for one throws
  ///   ``SnippetStoreError``; the next call of the iterator tries again.
  public func changeBatches(
    after number: ChangeNumber,
    limit: Int = 500
  ) -> some AsyncSequence<ChangeBatch, SnippetStoreError> & Sendable {
    CommitSequence<ChangeBatch>(feed: changeFeed) { [connections] in
      let known = Lock(number)
      return { () async throws(SnippetStoreError) in
        let former = known.withLock { $0 }
        let batch = try await connections.changeBatch(after: former, limit: limit)
        guard batch.next != former || batch.hasFallenBehind else { return nil }
        known.withLock { $0 = batch.next }
        return batch
      }
    }
  }
}
