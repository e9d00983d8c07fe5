import Foundation
import GRDB
import SnippetBase

extension SnippetStore {
  /// Finds snippets that match a query.
  ///
  /// ```swift
  /// let results = try await store.search("potato kind:image")
  /// let typed = try await store.search(SearchQuery(field.text))
  /// ```
  ///
  /// Words may be anywhere in the title, the tags, the first 4 MiB of the text or the note, even
  /// inside another word, and at the beginning of a word in the name of a file; see
  /// ``SearchQuery``, and ``SearchResults`` for the order. A query that only has conditions finds
  /// all snippets that meet them, newest first. A list shows those in any order and takes less
  /// memory; see ``SnippetFilter/narrowed(by:)``.
  ///
  /// The call returns as soon as the index has found the first snippets; the rest follows in the
  /// background. If the index finds none, everything is searched before the call returns. Texts
  /// that are not in the index yet are searched directly, so snippets that were just saved are
  /// found at once. Then the index is updated in the background, unless the store was opened for
  /// reading.
  ///
  /// Cancelling the task ends the search; later, call ``SearchResults/cancel()`` or release the
  /// results. While a user types, cancel the task of the previous search.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - filter: The snippets to search; all by default.
  /// - Returns: The matching snippets.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled, and `.invalidInput`
  ///   for a query built from more than 64 words and conditions.
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

  /// Updates the search index in the background, unless an update is running.
  private func updateSearchIndexSoon() {
    guard !connections.isReadOnly else { return }
    searchIndexing.withLock { task in
      guard task == nil else { return }
      task = Task(priority: .utility) { [weak self, searchIndexing] in
        await OwnThreads.run { [weak self] in
          guard let self else { return }
          // After a failure the next search tries again.
          connections.events.attempt(.indexing) { try blockingUpdateSearchIndex(check: {}) }
        }
        searchIndexing.withLock { $0 = nil }
      }
    }
  }

  /// Updates the search index, for example after an import.
  ///
  /// Searches are correct without it, but slower: they read texts directly that are not in the
  /// index. Each step makes other writers wait for about 50 milliseconds, longer only for a single
  /// text of up to 4 MiB. Cancelling ends the update after a step, and keeps the finished steps.
  ///
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled, `.readOnly` if the
  ///   store was opened for reading, and `.busy`, after which you can try again.
  /// - Complexity: O(*m*) in the size of the texts missing from the index, some 15 µs for a short
  ///   one.
  public func updateSearchIndex() async throws(SnippetStoreError) {
    try await OwnThreads.run(to: Self.indexing) { [self] check in
      try blockingUpdateSearchIndex(check: check)
    }
  }

  /// Updates the search index, on a thread that may block.
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
