import GRDB

/// An ordered, filtered sequence of rows, reached by position.
///
/// A list costs the same at its end as at its start, and remembers at most one byte for each
/// snippet of the store. Its calls block for a fraction of a millisecond and are meant for the
/// thread that draws; they never wait for blobs, searches or checks.
///
/// Positions are those of the store's latest state: a list notices a commit of anybody, this
/// process, another one or the `sqlite3` shell, at its next call, and walks its index again.
public final class SnippetList: Sendable {
  /// Which snippets the list holds.
  public let filter: SnippetFilter
  /// What the list is ordered by.
  public let order: SnippetOrder

  let connections: Connections
  let query: ListQuery
  private let index = Lock<ListIndex?>(nil)

  init(filter: SnippetFilter, order: SnippetOrder, connections: Connections) {
    self.filter = filter
    self.order = order
    self.connections = connections
    query = ListQuery(filter: filter, order: order)
  }

  /// The number of rows.
  ///
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(1); O(*n*) for the first call and the first after a change.
  public var count: Int {
    get throws(SnippetStoreError) {
      try walkInSteps()
      return try connections.read(.rows, to: "count the snippets of a list") { db in
        try currentIndex(db).count
      }
    }
  }

  /// The row at a position.
  ///
  /// - Parameter position: From 0; a position outside the list gives `nil`.
  /// - Returns: The row, or `nil`.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(log *n*); O(*n*) for the first call and the first after a change.
  public func row(at position: Int) throws(SnippetStoreError) -> SnippetRow? {
    guard position >= 0, position < Int.max else { return nil }
    return try rows(in: position..<position + 1).first
  }

  /// The rows at positions that follow each other.
  ///
  /// - Parameter range: Positions from 0; those outside the list are left out.
  /// - Returns: The rows in the list's order.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(log *n* + *m*) for *m* rows; O(*n*) for the first call and the first after a
  ///   change.
  public func rows(in range: Range<Int>) throws(SnippetStoreError) -> [SnippetRow] {
    try page(range).rows
  }

  /// The rows at positions that follow each other, with the count of the list and its version.
  ///
  /// All of it is of one state of the store, whoever writes meanwhile.
  ///
  /// - Parameter positions: Positions from 0; those outside the list are left out.
  /// - Returns: The rows in the list's order, and what the list was when they were read.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(log *n* + *m*) for *m* rows; O(*n*) for the first call and the first after a
  ///   change.
  public func page(_ positions: Range<Int>) throws(SnippetStoreError) -> SnippetPage {
    try walkInSteps()
    return try connections.read(.rows, to: "read rows of a list") { db in
      let index = try currentIndex(db)
      let range = positions.clamped(to: 0..<index.count)
      return SnippetPage(
        version: index.serial,
        count: index.count,
        start: range.lowerBound,
        rows: try rows(at: range, of: index, in: db)
      )
    }
  }

  /// The position of a snippet.
  ///
  /// - Parameter id: The snippet to look for.
  /// - Returns: Its position from 0, or `nil` when the list does not hold it.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(log *n*); O(*n*) for the first call and the first after a change.
  public func position(of id: SnippetID) throws(SnippetStoreError) -> Int? {
    try walkInSteps()
    return try connections.read(.rows, to: "find the position of snippet \(id)") { db in
      let index = try currentIndex(db)
      switch index.positions {
      case .identities(let ids):
        return ids.firstIndex(of: id.rawValue)
      case .fences(let fences):
        let statement = query.key(of: id)
        let row = try Row.fetchOne(
          db.cachedStatement(sql: statement.sql),
          arguments: StatementArguments(statement.arguments)
        )
        guard let row else { return nil }
        let key = try SortKey(row)
        return try position(of: key, after: fences, in: db)
      }
    }
  }

  // MARK: - Finding positions

  /// What is remembered, brought up to the state of the database that `db` sees.
  private func currentIndex(_ db: Database) throws -> ListIndex {
    let version = try DataVersion(db)
    let current = index.withLock { $0 }
    if let current, current.version == version { return current }
    var built = try ListIndex.build(query, version: version, in: db)
    // The connection serves one call at a time, so no serial is given twice.
    if let current { built.serial = current.serial + 1 }
    index.withLock { [built] in $0 = built }
    return built
  }

  /// Whether the list was ever walked to its end.
  var isWalked: Bool { index.withLock { $0 != nil } }

  /// Takes the index of a first walk.
  func adopt(_ first: ListIndex) {
    index.withLock { if $0 == nil { $0 = first } }
  }

  /// The rows at positions that the list has.
  private func rows(
    at range: Range<Int>,
    of index: ListIndex,
    in db: Database
  ) throws -> [SnippetRow] {
    guard !range.isEmpty else { return [] }
    switch index.positions {
    case .identities(let ids):
      return try SnippetRowQuery.rows(ids[range], in: db)
    case .fences(let fences):
      let start = try key(at: range.lowerBound, after: fences, in: db)
      return try rows(from: start, limit: range.count, in: db)
    }
  }

  /// The rows from a sort key on.
  func rows(from start: SortKey, limit: Int, in db: Database) throws -> [SnippetRow] {
    var rows = try query.rows(from: start, limit: limit, in: db)
    var result: [SnippetRow] = []
    result.reserveCapacity(limit)
    while let row = try rows.next() { result.append(try SnippetRowQuery.row(from: row)) }
    return result
  }

  /// Walks from the fence before a position to the sort key at it.
  func key(at position: Int, after fences: [SortKey], in db: Database) throws -> SortKey {
    let fence = fences[position / ListIndex.stride]
    let steps = position % ListIndex.stride
    guard steps > 0 else { return fence }
    var keys = try query.keys(from: fence, limit: steps + 1, in: db)
    var last: StatementRow?
    for _ in 0...steps { last = try keys.next() }
    // The index counts what is there.
    guard let last else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    return try SortKey(last)
  }

  /// Walks from the fence before a sort key to it, counting.
  private func position(
    of key: SortKey,
    after fences: [SortKey],
    in db: Database
  ) throws -> Int? {
    var low = 0
    var high = fences.count
    while low < high {
      let middle = (low + high) / 2
      let isBeyond =
        order.isDescending
        ? SortKey.precedes(fences[middle], key) : SortKey.precedes(key, fences[middle])
      if isBeyond { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return nil }
    var keys = try query.keys(from: fences[low - 1], limit: ListIndex.stride, in: db)
    var position = (low - 1) * ListIndex.stride
    while let row = try keys.next() {
      if try row.number(1) == key.id { return position }
      position += 1
    }
    return nil
  }
}
