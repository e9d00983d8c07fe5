import SnippetBase

extension SnippetList {
  /// Reports how the rows change, by this process or any other: one batch after each commit, or
  /// after several at once.
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
  /// The batches begin with the state of the list at the time of the call, so call this first and
  /// then read. Each batch begins where the previous one ended. A page that you read in between may
  /// be newer than the last batch; skip the batches up to its version.
  ///
  /// A commit by this store is reported at once, one by others within
  /// ``SnippetStore/Configuration/foreignChangeInterval``. The batches end when the task is
  /// cancelled or the store is closed.
  ///
  /// - Returns: The batches, for one iteration at a time. Waiting for one throws
  ///   ``SnippetStoreError``; a new iteration continues where the last one ended.
  /// - Complexity: O(*m* log *n*) for *m* changes of the store.
  public func updates() -> some AsyncSequence<ListBatch, SnippetStoreError> & Sendable {
    // Each iteration continues where the last one ended.
    let follower = ListFollower(self)
    return CommitSequence<ListBatch>(feed: changeFeed) {
      { () async throws(SnippetStoreError) in try await follower.next() }
    }
  }
}

extension SnippetList {
  /// Calls a closure whenever the rows may have changed, until the observation ends.
  ///
  /// The closure is called after every commit to the store, by any program, even if no row of this
  /// list changed. Use ``updates()`` to learn how the rows changed.
  ///
  /// - Parameter handler: Called on a thread of the store, after the change can be read.
  /// - Returns: The observation. It ends when it is released and when the store is closed.
  public func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    changeFeed.observe(handler)
  }
}

/// A follower of a list, from its present state on.
final class ListFollower: Sendable {
  private let list: SnippetList
  /// The version of the list up to which batches were taken, and its length then; `nil` until the
  /// list has been walked.
  private let place: Lock<(version: Int64, count: Int)?>

  init(_ list: SnippetList) {
    self.list = list
    place = Lock(list.state.withLock(\.index).map { ($0.serial, $0.count) })
  }

  /// Reads the changes since the last call; `nil` if there are none yet.
  func next() async throws(SnippetStoreError) -> ListBatch? {
    if let batch = takeBatch() { return batch }
    try await list.connections.read(.rows, to: "follow a list") { [list] db in
      _ = try list.currentIndex(db)
    }
    return takeBatch()
  }

  /// Returns the changes since the last call that the list has followed, if there are any; a reset
  /// if the history no longer reaches back.
  func takeBatch() -> ListBatch? {
    let (index, history) = list.state.withLock { ($0.index, $0.history) }
    guard let index else { return nil }
    return place.withLock { place in
      // Before the first walk there was no history that could have lost batches.
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
