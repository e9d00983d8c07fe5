import GRDB

/// Records which snippets the transactions of one connection change, and tells once they are
/// committed.
///
/// The table `snippet` is enough: triggers raise the revision of a snippet whenever its text or its
/// tags change. SQLite's update hook sees what triggers do, and GRDB withholds what a savepoint may
/// still undo.
final class CommitRecorder: TransactionObserver, Sendable {
  /// How many commits this has seen.
  struct Counts: Sendable {
    /// Those that may have become visible to others.
    var begun = 0
    /// Those that surely have, or never will.
    var ended = 0
  }

  private struct State {
    var inserted: Set<SnippetID> = []
    var updated: Set<SnippetID> = []
    var deleted: Set<SnippetID> = []
    var isTooLarge = false
    var isAttached = false
    var counts = Counts()

    /// What the transaction has changed, if anything.
    var change: StoreChange? {
      if isTooLarge { return .unknown }
      if inserted.isEmpty, updated.isEmpty, deleted.isEmpty { return nil }
      return .snippets(inserted: inserted, updated: updated, deleted: deleted)
    }

    /// Forgets the transaction, which has ended one way or the other.
    mutating func reset() {
      inserted = []
      updated = []
      deleted = []
      isTooLarge = false
      counts.ended = counts.begun
    }

    /// Takes note of one change, unless there are too many to be told one by one.
    mutating func record(_ kind: DatabaseEvent.Kind, _ id: SnippetID) {
      guard !isTooLarge else { return }
      switch kind {
      case .insert:
        inserted.insert(id)
      case .update:
        if !inserted.contains(id) { updated.insert(id) }
      case .delete:
        // Nobody has seen one that came and went in one transaction.
        if inserted.remove(id) == nil {
          updated.remove(id)
          deleted.insert(id)
        }
      }
      let count = inserted.count + updated.count + deleted.count
      guard count > StoreChange.maximumCount else { return }
      reset()
      isTooLarge = true
    }
  }

  private let state = Lock(State())
  private let report: @Sendable (StoreChange) -> Void

  init(report: @escaping @Sendable (StoreChange) -> Void) {
    self.report = report
  }

  var counts: Counts { state.withLock(\.counts) }

  /// Gets ready for a transaction, on the queue of the connection.
  ///
  /// - Returns: Whether it is the first one.
  func prepare(_ db: Database) -> Bool {
    let isFirst = state.withLock { state in
      // A commit that fails can undo everything without a word.
      state.reset()
      defer { state.isAttached = true }
      return !state.isAttached
    }
    // GRDB forgets it with its last reference, which the watch holds.
    if isFirst { db.add(transactionObserver: self, extent: .observerLifetime) }
    return isFirst
  }

  // MARK: - TransactionObserver

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    eventKind.tableName == Self.table
  }

  func databaseDidChange(with event: DatabaseEvent) {
    // GRDB also passes on what no statement has announced.
    guard event.tableName == Self.table else { return }
    state.withLock { $0.record(event.kind, SnippetID(rawValue: event.rowID)) }
  }

  func databaseWillCommit() {
    state.withLock { $0.counts.begun += 1 }
  }

  func databaseDidCommit(_ db: Database) {
    let change = state.withLock { state in
      defer { state.reset() }
      return state.change
    }
    if let change { report(change) }
  }

  func databaseDidRollback(_ db: Database) {
    state.withLock { $0.reset() }
  }

  private static let table = "snippet"
}
