import SnippetBase

extension SnippetList {
  /// What becomes of the rows, whoever changes them: one batch after each commit, or after several
  /// that come at once.
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
  /// The batches begin with the state that the list is in when this is called, before anybody asks
  /// for one; so call it first, then read. Each one leads on from where the one before it has ended.
  /// A page that is read while batches come can be of a later version than the last of them: those up
  /// to it are to be passed over, or applied without reading.
  ///
  /// A commit by this store is told of at once, and one by others within
  /// ``SnippetStore/Configuration/foreignChangeInterval``. The batches end when the task is cancelled
  /// or the store is closed.
  ///
  /// - Returns: The batches, for one iteration.
  /// - Complexity: O(*m* log *n*) for *m* changes of the store, whoever asks for them first.
  public func updates() -> ListUpdates {
    ListUpdates(follower: ListFollower(self))
  }
}

extension SnippetList {
  /// Calls a closure whenever the rows may have changed, until the observation ends.
  ///
  /// It is called for every commit of the store, whoever makes it, whether or not a row of this list
  /// is concerned; ``updates()`` says what became of the rows.
  ///
  /// - Parameter handler: Called on a thread of the store, after the change can be read.
  /// - Returns: The observation, which ends with its last reference, and with the store.
  public func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    changeFeed.observe { _ in handler() }
  }
}

/// What becomes of the rows of a list, from ``SnippetList/updates()``.
public struct ListUpdates: AsyncSequence, Sendable {
  let follower: ListFollower

  /// Goes on where the last iteration has ended; there can be one at a time.
  public func makeAsyncIterator() -> Iterator {
    Iterator(follower: follower, signals: follower.signals.makeIterator())
  }

  /// Gives one batch after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let follower: ListFollower
    fileprivate var signals: CommitSignals.Iterator

    /// The next batch; waits until something becomes of the list.
    ///
    /// - Returns: The batch, or `nil` when the task was cancelled or the store closed.
    /// - Throws: ``SnippetStoreError``; the next call tries again.
    public mutating func next(
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
  /// So many batches wait for one who does not take them before they become one reset.
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
          isReset: true,
          removed: [],
          inserted: [],
          moved: [],
          updated: []
        )
      ]
    }
  }
}
