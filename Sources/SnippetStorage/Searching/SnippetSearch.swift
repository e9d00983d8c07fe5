import SnippetBase

/// The search for a text that is being typed: each search ends the one before.
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
  /// - Parameter store: Where to look.
  public init(_ store: SnippetStore) {
    self.store = store
  }

  /// Finds snippets that hold every term of a text, and gives up what was looked for before.
  ///
  /// - Parameters:
  ///   - text: What has been typed so far.
  ///   - filter: Which snippets to look at; all by default.
  /// - Returns: The snippets found.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when another text was looked for meanwhile, or the
  ///   task was cancelled.
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

  /// Gives up what is looked for; what was found follows the store no longer.
  public func cancel() {
    let former = state.withLock { state in
      defer { state = (nil, nil) }
      return state
    }
    former.task?.cancel()
    former.results?.cancel()
  }
}
