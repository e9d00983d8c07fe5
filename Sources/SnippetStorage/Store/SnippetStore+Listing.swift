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

  /// Counts the snippets that pass a filter.
  ///
  /// It is for a number alone, such as that of the trash: a list counts itself when it is first
  /// read, and remembers positions on the way, which takes five times as long.
  ///
  /// - Parameter filter: The snippets to count; all by default.
  /// - Returns: Their number.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled.
  /// - Complexity: O(*n*) in the number of snippets, some 10 ns each without conditions.
  public func count(_ filter: SnippetFilter = .all) async throws(SnippetStoreError) -> Int {
    let query = ListQuery(filter: filter, order: .newestFirst)
    // With conditions it may take long, and rows must not wait.
    let role: Connections.Role = query.source.isUnfiltered ? .rows : .scans
    return try await connections.read(role, to: "count snippets") { try query.count(in: $0) }
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

  /// Finds the snippets whose numbers lie in a range.
  ///
  /// - Parameters:
  ///   - range: The numbers.
  ///   - isInTrash: Whether to look in the trash, or outside; `nil` for both.
  /// - Returns: Their numbers, ascending.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(*m* + log *n*) for *m* snippets in the range.
  package func snippetIDs(
    in range: ClosedRange<SnippetID>,
    isInTrash: Bool?
  ) async throws(SnippetStoreError) -> [SnippetID] {
    let place = isInTrash.map { "AND deleted_at IS \($0 ? "NOT " : "")NULL" } ?? ""
    return try await connections.read(.rows, to: "find snippets by their numbers") { db in
      try db.numbers(
        "SELECT id FROM snippet WHERE id BETWEEN ? AND ? \(place) ORDER BY id",
        [range.lowerBound.rawValue.databaseValue, range.upperBound.rawValue.databaseValue]
      ).map(SnippetID.init(rawValue:))
    }
  }
}
