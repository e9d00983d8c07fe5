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
  /// The version of the list up to which its changes were taken, and its length then; `nil` while
  /// the list has not been walked.
  private let place: Lock<(version: Int64, count: Int)?>

  init(_ list: SnippetList) {
    self.list = list
    place = Lock(list.state.withLock(\.index).map { ($0.serial, $0.count) })
    signals = CommitSignals(list.changeFeed)
  }

  /// What nobody has taken yet, if the list has gone on; a reset where it went too far.
  func takeBatch() -> ListBatch? {
    let (index, history) = list.state.withLock { ($0.index, $0.history) }
    guard let index else { return nil }
    return place.withLock { place in
      // Before the list was walked nothing was kept that could have been left out since.
      let start = history.start.map { ($0.formerVersion, $0.formerCount) }
      let former = place ?? start ?? (index.serial, index.count)
      place = former
      guard former.0 < index.serial else { return nil }
      let batch =
        history.batch(after: former.0)
        ?? ListBatch(
          formerVersion: former.0,
          version: index.serial,
          formerCount: former.1,
          count: index.count,
          isReset: true
        )
      place = (batch.version, batch.count)
      return batch
    }
  }
}
