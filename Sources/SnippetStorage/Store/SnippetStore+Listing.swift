import GRDB

extension SnippetStore {
  /// A list of rows, reached by position.
  ///
  /// Making one costs nothing. Its first call walks an index.
  ///
  /// - Parameters:
  ///   - filter: Which snippets it holds; all by default.
  ///   - order: What it is ordered by; the newest first by default.
  /// - Returns: The list. It can outlive this call and be used from any thread.
  public func list(
    _ filter: SnippetFilter = .all,
    order: SnippetOrder = .newestFirst
  ) -> SnippetList {
    SnippetList(filter: filter, order: order, connections: connections, changeFeed: changeFeed)
  }

  /// The row of a snippet.
  ///
  /// - Parameter id: The snippet to fetch.
  /// - Returns: The row, or `nil` when there is no such snippet.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(log *n*).
  public func row(_ id: SnippetID) throws(SnippetStoreError) -> SnippetRow? {
    try connections.read(.rows, to: "fetch snippet \(id)") { db in
      try SnippetRowQuery.row(id, in: db)
    }
  }
}
