import GRDB

/// Finds the snippets that a query matches, in one snapshot.
///
/// First come those that the index does not hold yet, the newest first; then those that hold every
/// term from the beginning of a word on, the most relevant first; then those that hold a term
/// inside a word only, the newest first. In the trash, every text is compared, the newest first.
struct SearchRun: Sendable {
  let query: SearchQuery
  let list: ListQuery

  /// Where more than this many match, they stand the newest first instead of the most relevant: to
  /// weigh more would take too long for a first screen, and longer in a longer store.
  static let maximumRankedCount = 500

  init(_ query: SearchQuery, filter: SnippetFilter) {
    self.query = query
    list = ListQuery(filter: filter, order: .newestFirst)
  }

  /// The first snippets that match, without those that hold a term inside a word only.
  ///
  /// - Returns: The snippets, and whether the index holds everything.
  func first(_ limit: Int, in db: Database) throws -> (ids: [Int64], isIndexed: Bool) {
    let backlog = try SearchIndex.backlog(in: db)
    if list.filter.isInTrash { return (try trashed(limit: limit, in: db), backlog.isEmpty) }
    var ids = try unindexed(backlog, limit: limit, in: db)
    if ids.count < limit {
      ids += try indexed(apartFrom: backlog, limit: limit - ids.count, in: db)
    }
    return (Array(ids.prefix(limit)), backlog.isEmpty)
  }

  /// All snippets that match.
  func all(in db: Database) throws -> [Int64] {
    if list.filter.isInTrash { return try trashed(limit: .max, in: db) }
    let backlog = try SearchIndex.backlog(in: db)
    var ids = try unindexed(backlog, limit: .max, in: db)
    ids += try indexed(apartFrom: backlog, limit: .max, in: db)
    let known = Set(ids)
    ids += try compared(apartFrom: backlog, in: db).filter { !known.contains($0) }
    return ids
  }

  /// Those among some snippets that match.
  func matches(among ids: some Sequence<Int64>, in db: Database) throws -> [Int64] {
    try ids.filter { try matches($0, in: db) }
  }

  // MARK: - Ways to find

  private func matches(_ id: Int64, in db: Database) throws -> Bool {
    let id = SnippetID(rawValue: id)
    // First, since it reads no text.
    guard try list.key(of: id, in: db) != nil, let texts = try SearchedTexts(id, in: db) else {
      return false
    }
    return query.matches(title: texts.title, tags: texts.tags, body: texts.body)
  }

  /// Looks at every snippet in the trash.
  private func trashed(limit: Int, in db: Database) throws -> [Int64] {
    var found: [Int64] = []
    var keys = try list.keys(in: db)
    while found.count < limit, let key = try keys.next() {
      let id = try key.number(1)
      if try matches(id, in: db) { found.append(id) }
    }
    return found
  }

  /// Looks at every snippet that the index does not hold as it is now.
  private func unindexed(
    _ backlog: SearchIndex.Backlog,
    limit: Int,
    in db: Database
  ) throws -> [Int64] {
    var found: [Int64] = []
    if let start = backlog.isUnknown ? 1 : backlog.unindexedFrom {
      var ids = try SteppedStatement(
        "SELECT id FROM snippet WHERE id >= ? ORDER BY id DESC",
        in: db
      )
      try ids.bind(start)
      while found.count < limit, let id = try ids.next()?.number(0) {
        if try matches(id, in: db) { found.append(id) }
      }
    }
    for id in backlog.changed.sorted(by: >) where found.count < limit {
      if try matches(id, in: db) { found.append(id) }
    }
    return found
  }

  /// Asks the index for every term from the beginning of a word on.
  private func indexed(
    apartFrom backlog: SearchIndex.Backlog,
    limit: Int,
    in db: Database
  ) throws -> [Int64] {
    guard !backlog.isUnknown else { return [] }
    let comparison = query.isWhollyIndexed ? [] : comparisons
    func find(order: String, limit: Int) throws -> [Int64] {
      try ids(
        where: [("search_index MATCH ?", query.indexExpression.databaseValue)] + comparison,
        order: order,
        limit: limit,
        in: db
      )
      .filter(backlog.isIndexed)
    }
    let (newestFirst, most) = ("search_index.rowid DESC", Self.maximumRankedCount)
    // One more than are ranked tells whether there are more.
    let newest = try find(order: newestFirst, limit: most + 1)
    if newest.count <= most {
      return try find(order: "bm25(search_index, 8.0, 4.0, 1.0), \(newestFirst)", limit: .max)
    }
    return limit <= newest.count ? newest : try find(order: newestFirst, limit: .max)
  }

  /// Compares every text that the index holds with the terms.
  private func compared(
    apartFrom backlog: SearchIndex.Backlog,
    in db: Database
  ) throws -> [Int64] {
    guard !backlog.isUnknown else { return [] }
    return try ids(
      where: comparisons,
      order: "search_index.rowid DESC",
      limit: .max,
      in: db
    )
    .filter(backlog.isIndexed)
  }

  private typealias Condition = (sql: String, argument: DatabaseValue)

  /// Whether a text of the index holds each term, wherever it stands.
  ///
  /// A line feed is between the columns, and in no term.
  private var comparisons: [Condition] {
    query.terms.map {
      (
        "instr(search_index.title || char(10) || search_index.tags || char(10) || search_index.body, ?)",
        $0.words.databaseValue
      )
    }
  }

  private func ids(
    where conditions: [Condition],
    order: String,
    limit: Int,
    in db: Database
  ) throws -> [Int64] {
    let filter = list.source.filterConditions
    var sql = "SELECT search_index.rowid FROM search_index"
    if !filter.isEmpty { sql += " CROSS JOIN snippet ON snippet.id = search_index.rowid" }
    sql += " WHERE " + (conditions.map(\.sql) + filter.map(\.sql)).joined(separator: " AND ")
    sql += " ORDER BY \(order) LIMIT ?"
    let arguments =
      conditions.map(\.argument) + filter.compactMap(\.argument) + [limit.databaseValue]
    return try db.numbers(sql, arguments)
  }
}
