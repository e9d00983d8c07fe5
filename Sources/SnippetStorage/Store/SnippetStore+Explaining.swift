import GRDB
import SnippetBase

extension SnippetStore {
  /// Finds out why a list or a search is empty, so that you can tell the user.
  ///
  /// - Parameters:
  ///   - query: The query of the search; none by default.
  ///   - filter: The filter of the list or search.
  /// - Returns: The first reason that applies, in the order of ``EmptinessReason``.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled.
  /// - Complexity: O(*n*) in the number of snippets for each condition.
  public func emptinessReason(
    for query: SearchQuery = "",
    in filter: SnippetFilter = .all
  ) async throws(SnippetStoreError) -> EmptinessReason {
    let search = EmptySearch(query, filter)
    return try await connections.read(.scans, to: "find out why nothing is found") { db in
      try search.reason(in: db)
    }
  }
}
