import Foundation
import GRDB
import SnippetBase

/// The snippets that match a query: a live list, reached by position.
///
/// The first matches are there at once, the others a moment later. Then the results follow the
/// store: snippets that no longer match are removed, and new matches are inserted at the front.
/// Positions only change just before observers are called.
///
/// First come the snippets that have every term at the beginning of a word, ranked by BM25: words
/// in a title count most, then words in a tag, then words in a text. Snippets with a term inside a
/// word follow, and then those with a term in the name of a file only. If more than 500 match,
/// those saved last come first instead.
///
/// A search can fail after it has begun, for example if the file is damaged. ``failure`` then tells
/// why, and observers are called. The results so far stay, and the next change of the store starts
/// the search again.
///
/// The search ends with the last reference to its results.
public final class SearchResults: RowList, UpdatingRowList {
  /// The errors of reads.
  public typealias Failure = SnippetStoreError

  /// The query.
  public let query: SearchQuery
  /// The filter of the searched snippets.
  public let filter: SnippetFilter

  /// The number of matches to find before the results are returned: several screens.
  static let firstCount = 256

  private struct State {
    var ids: [Int64]
    var version: Int64 = 1
    /// The latest changes of the results, for callers that hold rows.
    var history = ListHistory()
    var progress: SearchProgress
    /// The running search, or the last one.
    var work: Task<Void, Never>?
    /// The state of the store up to which the results follow it; `nil` if everything is to be
    /// searched.
    var mark: ChangeMark?
    /// Whether the store may have changed since the last search began.
    var isPending = false
    var observers: [Int: @Sendable () -> Void] = [:]
    var nextObserver = 0
    var isCancelled = false

    /// Removes some results, and inserts others at the front.
    ///
    /// Returns the change of each, and of those that were updated.
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

    /// Adopts the state that a search has found, and returns the change of each result; `nil` if
    /// any may have changed.
    mutating func take(_ found: Found) -> SearchStep? {
      guard !isCancelled else { return [] }
      mark = found.mark
      guard let changed = found.changed else {
        ids = found.ids
        progress = .complete
        return nil
      }
      let known = Set(ids.lazy.filter { changed.contains($0) })
      guard !known.isEmpty || !found.ids.isEmpty else { return [] }
      return replace(
        known.subtracting(found.ids),
        inserting: found.ids.filter { !known.contains($0) },
        updating: known.intersection(found.ids)
      )
    }
  }

  /// The change of some results: their old positions, their new ones, and whether they moved among
  /// the others.
  private typealias SearchStep = [(id: Int64, old: Int?, new: Int?, isOrderedAnew: Bool)]

  private let state: Lock<State>
  private let connections: Connections
  private let run: SearchRun
  private let observation = Lock<ChangeObservation?>(nil)

  /// Begins with the first matches.
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
    state = Lock(State(ids: ids, progress: isComplete ? .complete : .searching))
  }

  deinit {
    observation.withLock { $0 }?.cancel()
    state.withLock(\.work)?.cancel()
  }

  // MARK: - Positions

  /// Whether everything has been searched; before that, the count is that of the matches so far.
  public var isComplete: Bool { state.withLock(\.progress.isComplete) }

  /// The reason why the search failed or could not follow a change; `nil` as long as nothing
  /// failed.
  ///
  /// The next change of the store starts the search again; so does a new search.
  public var failure: SnippetStoreError? { state.withLock(\.progress.failure) }

  /// Reads the rows at consecutive positions, with the count and version of the results.
  ///
  /// - Parameter positions: Positions from 0; those outside the results are left out.
  /// - Returns: The rows, with the count and version of the results.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(*m* log *n*) for *m* rows of a store of *n*.
  public func page(_ positions: Range<Int>) throws(SnippetStoreError) -> SnippetPage {
    try read { results in
      let range = positions.clamped(to: 0..<results.ids.count)
      return SnippetPage(
        version: results.version,
        count: results.ids.count,
        start: range.lowerBound,
        rows: try results.rows(at: range)
      )
    }
  }

  /// Returns the change of the results since a version.
  ///
  /// - Parameter version: The ``SnippetPage/version`` of rows that you hold.
  /// - Returns: The change up to the latest state, without rows if nothing changed; `nil` if
  ///   everything was searched again, more than 1,024 rows changed at once, or the version is older
  ///   than the latest 64 changes.
  /// - Throws: ``SnippetStoreError``: `.closed` once the store is.
  /// - Complexity: O(*m* log *m*) for *m* changed rows.
  public func changes(since version: Int64) throws(SnippetStoreError) -> ListBatch? {
    try connections.read(.rows, to: "read the changes of search results") { _ in
      state.withLock {
        $0.history.batch(since: version, to: $0.version, count: $0.ids.count)
      }
    }
  }

  /// Reads only the rows that changed, were inserted or were not held, unless everything was
  /// searched again.
  ///
  /// - Complexity: As ``page(_:)`` for the rows to read, and O(*n*) in the number of results if
  ///   there are candidates.
  package func update(
    _ held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws(SnippetStoreError) -> RowUpdate {
    try read { results in
      let anchor = RowMove.ofFirst(candidates) { results.ids.firstIndex(of: $0.rawValue) }
      return try RowUpdate(
        of: held,
        at: positions,
        anchor,
        results.history,
        to: results.version,
        count: results.ids.count
      ) { gaps in
        let missing = gaps.told.map(\.position) + gaps.runs.flatMap(Array.init)
        return Dictionary(uniqueKeysWithValues: zip(missing, try results.rows(at: missing)))
      }
    }
  }

  /// Reads rows of the results in one snapshot.
  private func read<Value>(
    _ body: (inout Reading) throws -> Value
  ) throws(SnippetStoreError) -> Value {
    while true {
      let (value, gone) = try connections.read(.rows, to: "read rows of search results") { db in
        var results = state.withLock { state in
          Reading(ids: state.ids, version: state.version, history: state.history, run: run, db: db)
        }
        return (try body(&results), results.gone)
      }
      if gone.isEmpty { return value }
      // These were deleted or moved in or out of the trash before the results noticed. Observers
      // are called now, outside of the read, so that they may read.
      change { $0.replace(gone, inserting: [], updating: []) }
    }
  }

  /// The results while they are read in one snapshot.
  private struct Reading {
    let ids: [Int64]
    let version: Int64
    let history: ListHistory
    let run: SearchRun
    let db: Database
    /// The snippets that were to be read and no longer are among the searched ones.
    private(set) var gone: Set<Int64> = []

    /// Reads the rows at positions; those of snippets that are gone are left out.
    mutating func rows(at positions: some Collection<Int>) throws -> [SnippetRow] {
      let wanted = positions.map { ids[$0] }
      let rows = try SnippetRowQuery.rows(wanted, in: db)
        .filter { ($0.deletedAt != nil) == run.list.filter.isInTrash }
      gone = Set(wanted).subtracting(rows.map(\.id.rawValue))
      return rows
    }
  }

  /// Finds the position of a snippet.
  ///
  /// - Parameter id: The snippet to look for.
  /// - Returns: Its position, counted from 0; `nil` if it is not among the results.
  /// - Throws: ``SnippetStoreError``: `.closed` once the store is.
  /// - Complexity: O(*n*) in the number of results, a nanosecond each.
  public func position(of id: SnippetID) throws(SnippetStoreError) -> Int? {
    try connections.read(.rows, to: "find a search result") { _ in
      state.withLock { $0.ids.firstIndex(of: id.rawValue) }
    }
  }

  // MARK: - Excerpts

  /// Returns the part of a snippet's text or note that matches the query.
  ///
  /// - Parameters:
  ///   - id: The snippet.
  ///   - length: The most characters of the text to return, without the marks for what is left
  ///     out; 160 by default.
  /// - Returns: The part around the first term, or the beginning if the text contains none; `nil`
  ///   if the snippet is gone or has neither a text nor a note.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled.
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

  // MARK: - Following the store

  /// Waits until everything has been searched.
  ///
  /// - Throws: ``SnippetStoreError``: the reason why the search failed; `.cancelled` if the search
  ///   or the task was cancelled before the end. The results so far stay.
  public func finish() async throws(SnippetStoreError) {
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    // Observes before it looks, so that it cannot miss the end.
    let observation = observeChanges { continuation.yield() }
    defer { observation.cancel() }
    var waiting = changes.makeAsyncIterator()
    while state.withLock(\.progress.isSearching) {
      _ = await waiting.next()
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

  /// Calls a closure whenever the positions may have changed, and when the search has failed.
  ///
  /// - Parameter handler: Called on any thread, after the change can be read.
  /// - Returns: The observation. It ends when it is released.
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
  /// The results stay, and no longer follow the store. A search that has neither found everything
  /// nor failed then fails with `.cancelled`.
  public func cancel() {
    observation.withLock { observation in
      observation?.cancel()
      observation = nil
    }
    let (work, observers) = state.withLock {
      state -> (Task<Void, Never>?, [@Sendable () -> Void]) in
      state.isCancelled = true
      guard state.progress.isSearching else { return (state.work, []) }
      state.progress = .failed(Self.cancelled)
      return (state.work, Array(state.observers.values))
    }
    work?.cancel()
    for observer in observers { observer() }
  }

  /// Searches the rest, and follows the store from now on.
  func start(observing changes: ChangeFeed) {
    let observed = changes.observe { [weak self] in self?.follow() }
    observation.withLock { $0 = observed }
    // Search once more: the store may have been written between the first search and this call.
    follow()
  }

  /// Starts to search what has changed since the last search.
  private func follow() {
    state.withLock { state in
      guard !state.isCancelled else { return }
      state.isPending = true
      if state.progress.failure != nil { state.progress = .searching }
      let former = state.work
      state.work = Task { [weak self] in
        await former?.value
        await self?.work()
      }
    }
  }

  private func work() async {
    let (isPending, mark) = state.withLock { state in
      defer { state.isPending = false }
      return (state.isPending, state.mark)
    }
    guard isPending else { return }
    do throws(SnippetStoreError) {
      let found = try await connections.read(.scans, to: "search") { [run] db in
        try Found(run, since: mark, in: db)
      }
      change { $0.take(found) }
    } catch {
      fail(error)
    }
  }

  /// The matches in one snapshot: those among the snippets that have changed since a known state,
  /// or all.
  private struct Found {
    let ids: [Int64]
    /// The snippets that have changed; `nil` if everything was searched.
    let changed: Set<Int64>?
    let mark: ChangeMark

    init(_ run: SearchRun, since former: ChangeMark?, in db: Database) throws {
      let most = ListDifference.maximumRecordCount
      if let former, let records = try former.knownChanges(limit: most, in: db) {
        let changed = Set(records.map(\.snippet))
        ids = try run.matches(among: changed.sorted(by: >), in: db)
        mark = former.advanced(by: records)
        self.changed = changed
      } else {
        ids = try run.all(in: db)
        mark = try ChangeMark(knownEndIn: db)
        changed = nil
      }
    }
  }

  /// Keeps the results; the next change starts the search again.
  private func fail(_ error: SnippetStoreError) {
    let observers = state.withLock { state -> [@Sendable () -> Void] in
      guard !state.isCancelled else { return [] }
      state.mark = nil
      // The next search is under way.
      guard !state.isPending else { return [] }
      state.progress = .failed(error)
      return Array(state.observers.values)
    }
    for observer in observers { observer() }
  }

  /// Changes the results, and notifies the observers.
  ///
  /// `body` returns the change of each row; `nil` if any row may have changed. A change of no row
  /// makes no version, so that commits elsewhere do not use up the history.
  private func change(_ body: (inout State) -> SearchStep?) {
    let observers = state.withLock { state -> [@Sendable () -> Void] in
      let formerCount = state.ids.count
      let step = body(&state)
      if let step, step.isEmpty { return [] }
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
      return Array(state.observers.values)
    }
    for observer in observers { observer() }
  }
}
