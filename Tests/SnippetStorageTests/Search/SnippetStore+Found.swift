import SnippetStorage

extension SnippetStore {
  /// The snippets that a query matches, once everything has been looked at.
  func foundIDs(_ query: String, in filter: SnippetFilter = .all) async throws -> [SnippetID] {
    let results = try await search(SearchQuery(query), in: filter)
    try await results.finish()
    return try results.rows(in: 0..<results.count).map(\.id)
  }
}
