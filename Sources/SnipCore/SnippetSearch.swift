import SnippetBase
package import SnippetStorage

/// The searches of one search field, each of which ends the previous one.
///
/// A search that the next one has overtaken throws `.cancelled`, so only the results for the latest
/// text arrive.
package final class SnippetSearch: Sendable {
  private let store: SnippetStore
  private let prepare: @Sendable (SearchQuery) async throws -> SearchQuery
  private let state = Lock<(task: Task<SearchResults, any Error>?, results: SearchResults?)>(
    (nil, nil)
  )

  /// Makes a search field.
  ///
  /// - Parameters:
  ///   - store: The store to search.
  ///   - prepare: Completes each query before it is searched. The default leaves it as it is.
  package init(
    _ store: SnippetStore,
    prepare: @escaping @Sendable (SearchQuery) async throws -> SearchQuery = { $0 }
  ) {
    (self.store, self.prepare) = (store, prepare)
  }

  /// Finds snippets that match a query, and ends the previous search.
  ///
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the next search began or the task was
  ///   cancelled.
  package func results(
    for query: SearchQuery,
    in filter: SnippetFilter = .all
  ) async throws(SnippetStoreError) -> SearchResults {
    let task = Task { [store, prepare] in
      try await store.search(prepare(query), in: filter)
    }
    let former = state.withLock { state in
      defer { state = (task, nil) }
      return state
    }
    former.task?.cancel()
    former.results?.cancel()
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let results: SearchResults
    do {
      results = try result.get()
    } catch {
      throw error as? SnippetStoreError ?? Self.overtaken
    }
    let isLatest = state.withLock { state in
      guard state.task == task else { return false }
      state.results = results
      return true
    }
    guard isLatest else { throw Self.overtaken }
    return results
  }

  /// Ends the search.
  ///
  /// Its results no longer follow the store.
  package func cancel() {
    let former = state.withLock { state in
      defer { state = (nil, nil) }
      return state
    }
    former.task?.cancel()
    former.results?.cancel()
  }

  private static var overtaken: SnippetStoreError {
    SnippetStoreError(.cancelled, "search", because: "another search has begun")
  }
}
