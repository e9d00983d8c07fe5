import GRDB

extension SnippetStore {
  /// Makes a list of rows, reached by position.
  ///
  /// Making it costs nothing. Its first call walks an index.
  ///
  /// - Parameters:
  ///   - filter: The snippets in the list; all by default.
  ///   - order: The order of the list; newest first by default.
  /// - Returns: The list. It can outlive this call and be used from any thread.
  public func list(
    _ filter: SnippetFilter = .all,
    order: SnippetOrder = .newestFirst
  ) -> SnippetList {
    SnippetList(filter: filter, order: order, connections: connections, changeFeed: changeFeed)
  }

  /// Reads the row of a snippet.
  ///
  /// - Parameter id: The snippet to fetch.
  /// - Returns: The row, also of a snippet in the trash, as ``SnippetRow/deletedAt`` says; `nil` if
  ///   there is no such snippet.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(log *n*).
  public func row(_ id: SnippetID) throws(SnippetStoreError) -> SnippetRow? {
    try connections.read(.rows, to: "fetch snippet \(id)") { db in
      try SnippetRowQuery.row(id, in: db)
    }
  }
}
