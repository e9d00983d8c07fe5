import SnippetBase

/// The searches of one search field, each of which ends the previous one.
///
/// Search with it at each key: a search that the next one has overtaken throws `.cancelled`, so only
/// the results for the latest text arrive.
///
/// ```swift
/// let search = SnippetSearch(store)
/// let results = try await search.results(for: SearchQuery(field.text))
/// ```
public final class SnippetSearch: Sendable {
  private let store: SnippetStore
  private let state = Lock<(task: Task<SearchResults, any Error>?, results: SearchResults?)>(
    (nil, nil)
  )

  /// Makes the search of a field.
  ///
  /// - Parameter store: The store to search.
  public init(_ store: SnippetStore) {
    self.store = store
  }

  /// Finds snippets that match a query, and ends the previous search.
  ///
  /// - Parameters:
  ///   - query: The query, from the text typed so far.
  ///   - filter: The snippets to search; all by default.
  /// - Returns: The snippets found.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the next search began or the task was
  ///   cancelled.
  public func results(
    for query: SearchQuery,
    in filter: SnippetFilter = .all
  ) async throws(SnippetStoreError) -> SearchResults {
    let task = Task { [store] in try await store.search(query, in: filter) }
    let former = state.withLock { state in
      defer { state = (task, nil) }
      return state
    }
    former.task?.cancel()
    former.results?.cancel()
    do {
      let results = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
      let isLatest = state.withLock { state in
        guard state.task == task else { return false }
        state.results = results
        return true
      }
      guard isLatest else { throw CancellationError() }
      return results
    } catch {
      throw SnippetStoreError(error, during: "search")
    }
  }

  /// Ends the search.
  ///
  /// Its results no longer follow the store.
  public func cancel() {
    let former = state.withLock { state in
      defer { state = (nil, nil) }
      return state
    }
    former.task?.cancel()
    former.results?.cancel()
  }
}
