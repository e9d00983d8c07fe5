import GRDB
import SnippetBase

extension SnippetStore {
  /// Finds out why a list or a search holds nothing, to say so.
  ///
  /// - Parameters:
  ///   - query: What was looked for; nothing by default.
  ///   - filter: Which snippets were looked at.
  /// - Returns: The first reason that holds, in the order of ``EmptinessReason``.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was.
  /// - Complexity: O(*n*) in the number of snippets for each condition.
  public func reasonForNone(
    of query: SearchQuery = SearchQuery(""),
    in filter: SnippetFilter = .all
  ) async throws(SnippetStoreError) -> EmptinessReason {
    let search = EmptySearch(query, filter)
    return try await connections.read(.scans, to: "find out why nothing is found") { db in
      try search.reason(in: db)
    }
  }
}
