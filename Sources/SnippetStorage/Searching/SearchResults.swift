import Foundation
import GRDB
import SnippetBase

/// The snippets that a query matches: a list like any other, reached by position and live.
///
/// It is there as soon as the first snippets are found, and grows by the others a moment later. After
/// that it follows the store, whoever writes: what no longer matches leaves it, and what comes to
/// match stands first. Positions change only before observers are told.
///
/// The order is that of the query when it was run: first what holds every term from the beginning of
/// a word on, the most relevant first, by the BM25 of the words, of which those in a title count most
/// and those in a tag more than those in a text; then what holds a term inside a word only. Where
/// more than 500 match, those saved last come first instead.
///
/// Results are let go of by their last reference, and so is the work that is left of them.
public final class SearchResults: SnippetSequence {
  /// What was looked for.
  public let query: SearchQuery
  /// Which snippets were looked at.
  public let filter: SnippetFilter

  /// How many are looked for before the results are there: some screens full.
  static let firstCount = 256

  private struct State {
    var ids: [Int64]
    var version: Int64 = 1
    var isComplete: Bool
    /// What goes on, or has ended last.
    var work: Task<Void, Never>?
    var pending: StoreChange?
    var observers: [Int: @Sendable () -> Void] = [:]
    var nextObserver = 0
    var isCancelled = false
  }

  private let state: Lock<State>
  private let connections: Connections
  private let run: SearchRun
  private let observation = Lock<ChangeObservation?>(nil)

  /// Begins with what was found first.
  init(
    _ run: SearchRun,
    filter: SnippetFilter,
    ids: [Int64],
    isComplete: Bool,
    connections: Connections
  ) {
    query = run.query
    self.filter = filter
    self.run = run
    self.connections = connections
    state = Lock(State(ids: ids, isComplete: isComplete))
  }

  deinit {
    observation.withLock { $0 }?.cancel()
    state.withLock(\.work)?.cancel()
  }

  // MARK: - Positions

  /// The number of snippets found so far; all of them once ``isComplete``.
  ///
  /// - Throws: ``SnippetStoreError``: `.closed` once the store is.
  public var count: Int {
    get throws(SnippetStoreError) {
      try connections.read(.rows, to: "count search results") { _ in state.withLock(\.ids.count) }
    }
  }

  /// Whether everything was looked at.
  public var isComplete: Bool { state.withLock(\.isComplete) }

  /// The row at a position.
  ///
  /// - Parameter position: From 0; a position outside of the results gives `nil`.
  /// - Returns: The row, or `nil`.
  /// - Throws: ``SnippetStoreError``.
  public func row(at position: Int) throws(SnippetStoreError) -> SnippetRow? {
    guard position >= 0, position < Int.max else { return nil }
    return try rows(in: position..<position + 1).first
  }

  /// The rows at positions that follow each other.
  ///
  /// - Parameter range: Positions from 0; those outside of the results are left out.
  /// - Returns: The rows in the order of the results.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(*m* log *n*) for *m* rows of a store of *n*.
  public func rows(in range: Range<Int>) throws(SnippetStoreError) -> [SnippetRow] {
    try page(range).rows
  }

  /// The rows at positions that follow each other, with the count of the results and their version.
  ///
  /// - Parameter positions: Positions from 0; those outside of the results are left out.
  /// - Returns: The rows, and what the results were when they were read.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(*m* log *n*) for *m* rows of a store of *n*.
  public func page(_ positions: Range<Int>) throws(SnippetStoreError) -> SnippetPage {
    try page(positions, anchoredAt: []).page
  }

  /// The rows that now stand where others stood in a former state of the results, around a row that
  /// is to keep its place on screen.
  ///
  /// - Parameters:
  ///   - positions: Positions of the former state.
  ///   - candidates: The rows that may keep their place, with their positions in the former state,
  ///     the best first. The first that is still among the results does.
  /// - Returns: As many rows as there are positions, as far further as that row has moved on.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: As ``page(_:)``, and O(*n*) in the number of results where there are candidates.
  public func page(
    _ positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws(SnippetStoreError) -> AnchoredPage {
    while true {
      let (page, gone) = try connections.read(.rows, to: "read rows of search results") { db in
        try read(positions, anchoredAt: candidates, in: db)
      }
      if gone.isEmpty { return page }
      // Deleted, or moved to the trash or back, before the results heard of it. Observers hear of it
      // now, outside of the read, so that they may read.
      remove(gone)
    }
  }

  /// The rows at positions, and the snippets among them that are no longer where they were found.
  private func read(
    _ positions: Range<Int>,
    anchoredAt candidates: [RowPlace],
    in db: Database
  ) throws -> (page: AnchoredPage, gone: Set<Int64>) {
    let (ids, version) = state.withLock { ($0.ids, $0.version) }
    let anchor = AnchoredPage.anchor(among: candidates) { ids.firstIndex(of: $0.rawValue) }
    let range = AnchoredPage.positions(positions, around: anchor).clamped(to: 0..<ids.count)
    let rows = try SnippetRowQuery.rows(ids[range], in: db)
      .filter { ($0.deletedAt != nil) == filter.isInTrash }
    let page = SnippetPage(version: version, count: ids.count, start: range.lowerBound, rows: rows)
    return (
      AnchoredPage(page: page, anchor: anchor), Set(ids[range]).subtracting(rows.map(\.id.rawValue))
    )
  }

  /// The position of a snippet.
  ///
  /// - Parameter id: The snippet to look for.
  /// - Returns: Its position from 0, or `nil` when it is not among the results.
  /// - Throws: ``SnippetStoreError``: `.closed` once the store is.
  /// - Complexity: O(*n*) in the number of results, a nanosecond each.
  public func position(of id: SnippetID) throws(SnippetStoreError) -> Int? {
    try connections.read(.rows, to: "find a search result") { _ in
      state.withLock { $0.ids.firstIndex(of: id.rawValue) }
    }
  }

  // MARK: - Excerpts

  /// The part of a snippet's text in which the query is found.
  ///
  /// - Parameters:
  ///   - id: The snippet.
  ///   - length: How many characters to show at most; 160 by default.
  /// - Returns: The part around the first term, or the beginning where the text holds none; `nil`
  ///   when the snippet is gone or has no text.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was.
  /// - Complexity: O(*n*) in the length of the text up to its first term.
  public func excerpt(
    of id: SnippetID,
    length: Int = 160
  ) async throws(SnippetStoreError) -> SearchExcerpt? {
    let text = try await connections.read(.scans, to: "read the text of snippet \(id)") { db in
      try SearchedTexts.body(of: id, in: db)
    }
    return text.isEmpty ? nil : SearchExcerpt(of: query, in: text, length: max(1, length))
  }

  // MARK: - Living on

  /// Waits until everything has been looked at.
  ///
  /// - Throws: ``SnippetStoreError``: why not everything could be; what was found stays.
  public func finish() async throws(SnippetStoreError) {
    while let work = state.withLock({ $0.isComplete ? nil : $0.work }) { await work.value }
    if !isComplete {
      throw SnippetStoreError(
        .cancelled,
        "search",
        because: "the search was cancelled or failed",
        do: "Search again."
      )
    }
  }

  /// Tells when other snippets may stand at the positions, until the observation ends.
  ///
  /// - Parameter handler: Called on any thread, after the change can be read.
  /// - Returns: The observation, which ends with its last reference.
  public func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    let id = state.withLock { state in
      state.nextObserver += 1
      state.observers[state.nextObserver] = handler
      return state.nextObserver
    }
    return ChangeObservation { [weak self] in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
    }
  }

  /// Ends the search where it is; what was found stays, and follows the store no longer.
  public func cancel() {
    observation.withLock { observation in
      observation?.cancel()
      observation = nil
    }
    let work = state.withLock { state in
      state.isCancelled = true
      return state.work
    }
    work?.cancel()
  }

  /// Looks at the rest, and follows the store from here on.
  func start(observing changes: ChangeFeed) {
    let observed = changes.observe { [weak self] change in self?.take(change) }
    observation.withLock { $0 = observed }
    // Once more, since the store may have been written between the first look and this.
    state.withLock { state in
      state.pending = .unknown
      beginWork(&state)
    }
  }

  private func take(_ change: StoreChange) {
    state.withLock { state in
      if state.pending == nil { state.pending = change } else { state.pending?.merge(change) }
      beginWork(&state)
    }
  }

  /// Sees to it that somebody deals with the pending change.
  private func beginWork(_ state: inout State) {
    guard !state.isCancelled else { return }
    let former = state.work
    state.work = Task { [weak self] in
      await former?.value
      await self?.work()
    }
  }

  private func work() async {
    guard let change = state.withLock({ $0.pending.take() }) else { return }
    do {
      switch change {
      case .unknown:
        try await lookAtAll()
      case .snippets(let inserted, let updated, let deleted):
        // What is deleted elsewhere may have come to the trash.
        let changed = inserted.union(updated)
        try await filter.isInTrash
          ? lookAgain(at: changed.union(deleted), without: [])
          : lookAgain(at: changed, without: deleted)
      }
    } catch {
      // What was found stays; the next change is looked at again, then at everything.
      state.withLock { state in
        if !state.isCancelled, state.isComplete { state.pending = .unknown }
      }
    }
  }

  private func lookAtAll() async throws(SnippetStoreError) {
    let ids = try await connections.read(.scans, to: "search") { [run] db in try run.all(in: db) }
    change { state in
      state.ids = ids
      state.isComplete = true
    }
  }

  private func lookAgain(
    at changed: Set<SnippetID>,
    without deleted: Set<SnippetID>
  ) async throws(SnippetStoreError) {
    let changed = changed.map(\.rawValue).sorted(by: >)
    let matching = try await connections.read(.scans, to: "search") { [run] db in
      try run.matches(among: changed, in: db)
    }
    let left = Set(changed).subtracting(matching).union(deleted.map(\.rawValue))
    change { state in
      let known = Set(state.ids)
      if !left.isDisjoint(with: known) { state.ids.removeAll { left.contains($0) } }
      state.ids.insert(contentsOf: matching.filter { !known.contains($0) }, at: 0)
    }
  }

  private func remove(_ gone: Set<Int64>) {
    change { $0.ids.removeAll { gone.contains($0) } }
  }

  /// Changes what was found, and tells the observers.
  private func change(_ body: (inout State) -> Void) {
    let observers = state.withLock { state in
      body(&state)
      state.version += 1
      return Array(state.observers.values)
    }
    for observer in observers { observer() }
  }
}
