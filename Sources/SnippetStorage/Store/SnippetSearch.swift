import SnippetBase

/// A search that follows the user's typing: each search ends the previous one.
///
/// ```swift
/// let search = SnippetSearch(store)
/// let results = try await search.results(for: "pota")
/// ```
public final class SnippetSearch: Sendable {
  private let store: SnippetStore
  private let state = Lock<(task: Task<SearchResults, any Error>?, results: SearchResults?)>(
    (nil, nil)
  )

  /// Makes a search in a store.
  ///
  /// - Parameter store: The store to search.
  public init(_ store: SnippetStore) {
    self.store = store
  }

  /// Finds snippets that match a query, and ends the previous search.
  ///
  /// - Parameters:
  ///   - text: The text typed so far; incomplete parts are left out, as in
  ///     ``SearchQuery/init(_:)``.
  ///   - filter: The snippets to search; all by default.
  /// - Returns: The snippets found.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the next search began or the task was
  ///   cancelled.
  public func results(
    for text: String,
    in filter: SnippetFilter = .all
  ) async throws(SnippetStoreError) -> SearchResults {
    let task = Task { [store] in try await store.search(text, in: filter) as SearchResults }
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
