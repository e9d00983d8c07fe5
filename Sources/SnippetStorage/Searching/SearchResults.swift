import Foundation
import GRDB
import SnippetBase

/// The snippets that match a query: a live list, reached by position.
///
/// It comes with the first matches and grows by the others a moment later. Then it follows the
/// store: what no longer matches leaves, and what begins to match comes first. Positions change
/// only just before observers are called.
///
/// First come snippets that have every term at the beginning of a word, ranked by BM25: words in a
/// title count most, then those in a tag, then those in a text. Then come those with a term inside
/// a word. If more than 500 match, those saved last come first instead.
///
/// A search can fail when it has begun, as where the file is damaged: ``failure`` says why, and
/// observers are called. What was found stays, and the next change of the store has everything
/// searched again.
///
/// The search ends with the last reference to its results.
public final class SearchResults: RowList {
  /// The errors of reads.
  public typealias Failure = SnippetStoreError

  /// The query.
  public let query: SearchQuery
  /// Which snippets were searched.
  public let filter: SnippetFilter

  /// How many are looked for before the results are there: some screens full.
  static let firstCount = 256

  private struct State {
    var ids: [Int64]
    var version: Int64 = 1
    /// What has become of the results lately, for those who hold rows.
    var history = ListHistory()
    var progress: SearchProgress
    /// What goes on, or has ended last.
    var work: Task<Void, Never>?
    var pending: StoreChange?
    var observers: [Int: @Sendable () -> Void] = [:]
    var nextObserver = 0
    var isCancelled = false

    /// Takes some results out, and puts others first.
    ///
    /// - Returns: What became of each, and of those that show something else.
    mutating func replace(
      _ left: Set<Int64>,
      inserting new: [Int64],
      updating changed: Set<Int64>
    ) -> SearchStep {
      var step: SearchStep = []
      var kept: [Int64] = []
      kept.reserveCapacity(ids.count)
      for (position, id) in ids.enumerated() {
        if left.contains(id) {
          step.append((id, position, nil, true))
        } else {
          if changed.contains(id) { step.append((id, position, new.count + kept.count, false)) }
          kept.append(id)
        }
      }
      for (position, id) in new.enumerated() { step.append((id, nil, position, true)) }
      ids = new + kept
      return step
    }
  }

  /// What became of some results: their old positions, their new ones, and whether they stand
  /// elsewhere among the others.
  private typealias SearchStep = [(id: Int64, old: Int?, new: Int?, isOrderedAnew: Bool)]

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
    state = Lock(State(ids: ids, progress: SearchProgress(isComplete: isComplete)))
  }

  deinit {
    observation.withLock { $0 }?.cancel()
    state.withLock(\.work)?.cancel()
  }

  // MARK: - Positions

  /// The number of snippets found so far, or of all once ``isComplete``.
  ///
  /// - Throws: ``SnippetStoreError``: `.closed` once the store is.
  public var count: Int {
    get throws(SnippetStoreError) {
      try connections.read(.rows, to: "count search results") { _ in state.withLock(\.ids.count) }
    }
  }

  /// Whether everything was searched.
  public var isComplete: Bool { state.withLock(\.progress.isComplete) }

  /// Why not everything was searched, or what was changed since could not be looked at; `nil` while
  /// nothing failed.
  ///
  /// The next change of the store has everything searched again, and so does a new search.
  public var failure: SnippetStoreError? { state.withLock(\.progress.failure) }

  /// The rows at positions that follow each other, with the count of the results and their version.
  ///
  /// - Parameter positions: Positions from 0; those outside of the results are left out.
  /// - Returns: The rows, and what the results were when they were read.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(*m* log *n*) for *m* rows of a store of *n*.
  public func page(_ positions: Range<Int>) throws(SnippetStoreError) -> SnippetPage {
    while true {
      let (page, gone) = try connections.read(.rows, to: "read rows of search results") { db in
        try read(positions, in: db)
      }
      if gone.isEmpty { return page }
      // Deleted, or moved to the trash or back, before the results heard of it. Observers hear of
      // it now, outside of the read, so that they may read.
      remove(gone)
    }
  }

  /// What makes rows that are held those of the latest state, around a row that keeps its place.
  ///
  /// It reads the rows that changed, came or were not held, and no others, unless everything was
  /// searched again.
  ///
  /// - Parameters:
  ///   - held: What is held, of an earlier state or of this one.
  ///   - positions: The positions of that state whose rows are wanted.
  ///   - candidates: The rows that may keep their place, with their positions in the former state,
  ///     the best first.
  /// - Returns: The rows that are missing at as many positions, shifted by as much as the first
  ///   candidate that is still among the results has moved; and what became of them since.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: As ``page(_:)`` for the rows that are read, and O(*n*) in the number of results
  ///   where there are candidates.
  public func update(
    _ held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws(SnippetStoreError) -> RowUpdate {
    while true {
      let (update, gone) = try connections.read(.rows, to: "read rows of search results") { db in
        try read(held, at: positions, anchoredAt: candidates, in: db)
      }
      if gone.isEmpty { return update }
      remove(gone)
    }
  }

  /// The rows that are missing, and the snippets among them that are no longer where they were
  /// found.
  private func read(
    _ held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace],
    in db: Database
  ) throws -> (update: RowUpdate, gone: Set<Int64>) {
    let (ids, version, history) = state.withLock { ($0.ids, $0.version, $0.history) }
    let anchor = RowMove.ofFirst(candidates) { ids.firstIndex(of: $0.rawValue) }
    let range = positions.shifted(with: anchor).clamped(to: 0..<ids.count)
    let batch = history.batch(from: held.version, held.count, to: version, count: ids.count)
    let gaps = batch.gaps(in: range, besides: held.positions)
    let missing = gaps.told.map(\.position) + gaps.runs.flatMap(Array.init)
    let rows = try SnippetRowQuery.rows(missing.map { ids[$0] }, in: db)
      .filter { ($0.deletedAt != nil) == filter.isInTrash }
    let byID = Dictionary(uniqueKeysWithValues: rows.map { ($0.id.rawValue, $0) })
    var found: [Int: SnippetRow] = [:]
    for position in missing { found[position] = byID[ids[position]] }
    return (
      RowUpdate(batch: batch, positions: range, rows: found, anchor: anchor),
      Set(missing.map { ids[$0] }).subtracting(byID.keys)
    )
  }

  /// The rows at positions, and the snippets among them that are no longer where they were found.
  private func read(
    _ positions: Range<Int>,
    in db: Database
  ) throws -> (page: SnippetPage, gone: Set<Int64>) {
    let (ids, version) = state.withLock { ($0.ids, $0.version) }
    let range = positions.clamped(to: 0..<ids.count)
    let rows = try SnippetRowQuery.rows(ids[range], in: db)
      .filter { ($0.deletedAt != nil) == filter.isInTrash }
    let page = SnippetPage(version: version, count: ids.count, start: range.lowerBound, rows: rows)
    return (page, Set(ids[range]).subtracting(rows.map(\.id.rawValue)))
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

  /// The part of a snippet's text that matches the query.
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

  /// Waits until everything was searched.
  ///
  /// - Throws: ``SnippetStoreError``: why the search failed, whenever that was; `.cancelled` when
  ///   it was cancelled before its end, or the task was. What it found stays.
  public func finish() async throws(SnippetStoreError) {
    while let end = state.withLock({ $0.progress.end() }) {
      for await _ in end {}
      if Task.isCancelled { throw Self.cancelled }
    }
    if let failure { throw failure }
  }

  private static var cancelled: SnippetStoreError {
    SnippetStoreError(
      .cancelled,
      "search",
      because: "the search was cancelled",
      do: "Search again."
    )
  }

  /// Calls a closure when the positions may hold other snippets, and when the search has failed.
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

  /// Ends the search.
  ///
  /// What was found stays, and no longer follows the store.
  public func cancel() {
    observation.withLock { observation in
      observation?.cancel()
      observation = nil
    }
    let (work, waiting) = state.withLock { state in
      state.isCancelled = true
      if !state.progress.isComplete { state.progress.fail(Self.cancelled) }
      return (state.work, state.progress.takeWaiting())
    }
    work?.cancel()
    for continuation in waiting { continuation.finish() }
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
    state.progress.beginAgain()
    let former = state.work
    state.work = Task { [weak self] in
      await former?.value
      await self?.work()
    }
  }

  private func work() async {
    guard let change = state.withLock({ $0.pending.take() }) else { return }
    do throws(SnippetStoreError) {
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
      fail(error)
    }
  }

  /// Keeps what was found; with the next change everything is looked at.
  private func fail(_ error: SnippetStoreError) {
    change { state in
      guard !state.isCancelled else { return [] }
      let isNextUnderWay = state.pending != nil
      state.pending = .unknown
      if !isNextUnderWay { state.progress.fail(error) }
      return []
    }
  }

  private func lookAtAll() async throws(SnippetStoreError) {
    let ids = try await connections.read(.scans, to: "search") { [run] db in try run.all(in: db) }
    change { state in
      state.ids = ids
      if !state.isCancelled { state.progress.complete() }
      return nil
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
      return state.replace(
        left.isDisjoint(with: known) ? [] : left,
        inserting: matching.filter { !known.contains($0) },
        updating: known.intersection(matching)
      )
    }
  }

  private func remove(_ gone: Set<Int64>) {
    change { $0.replace(gone, inserting: [], updating: []) }
  }

  /// Changes what was found, and tells the observers and those who wait for the end.
  ///
  /// - Parameter body: Changes the state, and returns what became of each row; `nil` where any may
  ///   be another.
  private func change(_ body: (inout State) -> SearchStep?) {
    let (observers, waiting) = state.withLock { state in
      let formerCount = state.ids.count
      let step = body(&state)
      state.version += 1
      var batch = ListBatch(
        formerVersion: state.version - 1,
        version: state.version,
        formerCount: formerCount,
        count: state.ids.count,
        isReset: step.map { $0.count > ListDifference.maximumCount } ?? true
      )
      if let step, !batch.isReset { batch.add(step) }
      state.history.append(batch)
      return (Array(state.observers.values), state.progress.takeWaiting())
    }
    for observer in observers { observer() }
    for continuation in waiting { continuation.finish() }
  }
}
