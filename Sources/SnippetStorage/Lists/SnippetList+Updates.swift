import SnippetBase

extension SnippetList {
  /// The changes of the rows, by this process or any other: one batch after each commit, or after
  /// several at once.
  ///
  /// ```swift
  /// let updates = list.updates()
  /// var page = try list.page(0..<40)
  /// for try await batch in updates where batch.version > page.version {
  ///   let start = batch.position(of: page.start) ?? 0
  ///   page = try list.page(start..<start + 40)
  /// }
  /// ```
  ///
  /// The batches begin with the state of the list when this is called, so call it first and then
  /// read. Each one begins where the one before ended. A page that you read meanwhile may be newer
  /// than the last batch; skip the batches up to its version.
  ///
  /// A commit by this store is reported at once, one by others within
  /// ``SnippetStore/Configuration/foreignChangeInterval``. The batches end when the task is
  /// cancelled or the store is closed.
  ///
  /// - Returns: The batches, for one iteration at a time. Waiting for one throws
  ///   ``SnippetStoreError``; iterating again goes on where the last iteration ended.
  /// - Complexity: O(*m* log *n*) for *m* changes of the store.
  public func updates() -> some AsyncSequence<ListBatch, SnippetStoreError> & Sendable {
    ListUpdates(follower: ListFollower(self))
  }
}

extension SnippetList {
  /// Calls a closure whenever the rows may have changed, until the observation ends.
  ///
  /// It is called for every commit of the store, by any program, whether or not a row of this
  /// list is concerned; ``updates()`` says what became of the rows.
  ///
  /// - Parameter handler: Called on a thread of the store, after the change can be read.
  /// - Returns: The observation, which ends with its last reference, and with the store.
  public func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    changeFeed.observe { _ in handler() }
  }
}

/// The changes of a list, batch by batch; one iteration at a time, each going on where the last ended.
struct ListUpdates: AsyncSequence, Sendable {
  let follower: ListFollower

  func makeAsyncIterator() -> Iterator {
    Iterator(follower: follower, signals: follower.signals.makeIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let follower: ListFollower
    fileprivate var signals: CommitSignals.Iterator

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(SnippetStoreError) -> ListBatch? {
      while true {
        if let batch = follower.takeBatch() { return batch }
        do {
          let list = follower.list
          try await list.connections.read(.rows, to: "follow a list") { db in
            _ = try list.currentIndex(db)
          }
        } catch  where [.closed, .cancelled].contains(error.code) {
          return nil
        }
        if let batch = follower.takeBatch() { return batch }
        guard await signals.next(isolation: actor) else { return nil }
      }
    }
  }
}

/// Who follows a list, from its present state on.
final class ListFollower: Sendable {
  let list: SnippetList
  let signals: CommitSignals
  private let number: Int

  init(_ list: SnippetList) {
    self.list = list
    number = list.state.withLock { state in
      defer { state.nextFollower += 1 }
      state.pending[state.nextFollower] = []
      return state.nextFollower
    }
    signals = CommitSignals(list.changeFeed)
  }

  deinit {
    list.state.withLock { $0.pending[number] = nil }
  }

  /// The next batch that nobody has taken, if the list has gone on.
  func takeBatch() -> ListBatch? {
    list.state.withLock { state in
      guard let batch = state.pending[number]?.first else { return nil }
      state.pending[number]?.removeFirst()
      return batch
    }
  }
}

extension SnippetList.State {
  /// The most batches kept for a slow follower; more become one reset.
  private static let maximumPendingCount = 64

  /// Keeps a batch for everybody who follows the list.
  mutating func tell(_ batch: ListBatch) {
    for number in pending.keys {
      pending[number]?.append(batch)
      guard let waiting = pending[number], waiting.count > Self.maximumPendingCount,
        let first = waiting.first
      else { continue }
      pending[number] = [
        ListBatch(
          formerVersion: first.formerVersion,
          version: batch.version,
          formerCount: first.formerCount,
          count: batch.count,
          isReset: true
        )
      ]
    }
  }
}
