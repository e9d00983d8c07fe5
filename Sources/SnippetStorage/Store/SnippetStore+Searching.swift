import Foundation
import GRDB
import SnippetBase

extension SnippetStore {
  /// Finds snippets that a query asks for.
  ///
  /// Words may be anywhere in the title, the tags or the first 4 MiB of the text, even inside
  /// another word; see ``SearchQuery``, and ``SearchResults`` for the order. A query that only has
  /// conditions finds all that meet them, the newest first; a list shows them in any order, and
  /// takes less memory, see ``SnippetFilter/narrowed(by:)``.
  ///
  /// Returns as soon as the index has found the first snippets; the rest follows in the background.
  /// If the index finds none, everything is searched before this returns. Texts that the index does
  /// not hold yet are searched directly, so what was just saved is found at once; then the index is
  /// brought up to date in the background, unless the store was opened for reading.
  ///
  /// Cancelling the task ends the search; later, ``SearchResults/cancel()`` and releasing the
  /// results do. ``SnippetSearch`` ends the former search while a user types.
  ///
  /// - Parameters:
  ///   - query: What to look for.
  ///   - filter: Which snippets to search; all by default.
  /// - Returns: The snippets found.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was, and `.invalidInput` for a query
  ///   that was built of more than 64 words and conditions.
  public func search(
    _ query: SearchQuery,
    in filter: SnippetFilter = .all
  ) async throws(SnippetStoreError) -> SearchResults {
    let most = SearchQuery.maximumLeafCount
    guard query.expression.map({ $0.leaves.count <= most }) ?? true else {
      throw SnippetStoreError(
        .invalidInput,
        "search",
        because: "the query has more than \(most) words and conditions",
        do: "Leave out what matters least."
      )
    }
    let run = SearchRun(query, filter: filter)
    var filter = filter
    filter.isInTrash = run.list.filter.isInTrash
    guard !query.isEmpty else {
      return SearchResults(
        run,
        filter: filter,
        ids: [],
        isComplete: true,
        connections: connections
      )
    }
    let (ids, isIndexed) = try await connections.read(.scans, to: "search") { db in
      try run.first(SearchResults.firstCount, in: db)
    }
    if !isIndexed { updateSearchIndexSoon() }
    let results = SearchResults(
      run,
      filter: filter,
      ids: ids,
      isComplete: false,
      connections: connections
    )
    results.start(observing: changeFeed)
    // The results have not been returned yet: they end with the task.
    if ids.isEmpty { try await results.finish() }
    return results
  }

  /// Finds snippets that what the user typed asks for.
  ///
  /// - Parameters:
  ///   - text: A query; what is wrong with it is left out, as in ``SearchQuery/init(_:)``.
  ///   - filter: Which snippets to search; all by default.
  /// - Returns: The snippets found.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was.
  public func search(
    _ text: String,
    in filter: SnippetFilter = .all
  ) async throws(SnippetStoreError) -> SearchResults {
    try await search(SearchQuery(text), in: filter)
  }

  /// Brings the search index up to date in the background, unless that is being done.
  private func updateSearchIndexSoon() {
    guard !connections.isReadOnly else { return }
    searchIndexing.withLock { task in
      guard task == nil else { return }
      task = Task(priority: .utility) { [weak self, searchIndexing] in
        // Whatever kept it from being done, the next search tries again.
        await self?.connections.events.attempt(.indexing) { [weak self] in
          try await self?.updateSearchIndex()
        }
        searchIndexing.withLock { $0 = nil }
      }
    }
  }

  /// Brings the search index up to date, as after an import.
  ///
  /// Searches are right without it, only slower: they read directly what the index does not hold.
  /// Each step keeps other writers waiting for about 50 milliseconds, longer only for what a single
  /// text of up to 4 MiB adds to the index. Cancelling ends it after a step, and keeps what was done.
  ///
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was, `.readOnly` where the store
  ///   was opened for reading, and `.busy`, which can be tried again.
  /// - Complexity: O(*m*) in the size of the texts that it does not hold, some 15 µs for a short
  ///   one.
  public func updateSearchIndex() async throws(SnippetStoreError) {
    try await OwnThreads.run(to: Self.indexing) { [self] check in
      try blockingUpdateSearchIndex(check: check)
    }
  }

  /// Brings the search index up to date, for threads that may block.
  func blockingUpdateSearchIndex(check: () throws -> Void) throws {
    var longTexts = LongTexts()
    while true {
      try check()
      let isDone = try connections.write(to: Self.indexing) { db in
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(50)
        return try SearchIndex.catchUp(until: { clock.now >= end }, &longTexts, in: db)
      }
      if isDone { return }
      try longTexts.prepare(connections, to: Self.indexing)
    }
  }

  private static let indexing = "bring the search index up to date"
}
