import GRDB

/// Finds the snippets that a query matches, in one snapshot.
///
/// First come those that the index does not hold yet, the newest first; then those that hold every
/// term from the beginning of a word on, the most relevant first; then those that hold a term
/// inside a word only, the newest first. In the trash, every text is compared, the newest first; so
/// are the texts of the index where a snippet may match that holds no term. A query without words
/// walks a list.
struct SearchRun: Sendable {
  let query: SearchQuery
  /// What is to be found in texts; `nil` for a query that only has conditions.
  private let plan: SearchPlan?
  /// The snippets among which it is looked for.
  let list: ListQuery

  /// Where more than this many match, they stand the newest first instead of the most relevant: to
  /// weigh more would take too long for a first screen, and longer in a longer store.
  static let maximumRankedCount = 500

  init(_ query: SearchQuery, filter: SnippetFilter) {
    self.query = query
    let (filter, rest) = filter.split(query)
    plan = rest.map(SearchPlan.init)
    list = ListQuery(filter: filter, order: .newestFirst)
  }

  /// The first snippets that match, without those that hold a term inside a word only.
  ///
  /// - Returns: The snippets, and whether the index holds everything.
  func first(_ limit: Int, in db: Database) throws -> (ids: [Int64], isIndexed: Bool) {
    guard let plan else { return (try listed(limit: limit, in: db), true) }
    let backlog = try SearchIndex.backlog(in: db)
    if list.filter.isInTrash { return (try trashed(limit: limit, in: db), backlog.isEmpty) }
    var ids = try unindexed(backlog, limit: limit, in: db)
    if ids.count < limit {
      ids += try indexed(plan, apartFrom: backlog, limit: limit - ids.count, in: db)
    }
    return (Array(ids.prefix(limit)), backlog.isEmpty)
  }

  /// All snippets that match.
  func all(in db: Database) throws -> [Int64] {
    guard let plan else { return try listed(limit: .max, in: db) }
    if list.filter.isInTrash { return try trashed(limit: .max, in: db) }
    let backlog = try SearchIndex.backlog(in: db)
    var ids = try unindexed(backlog, limit: .max, in: db)
    ids += try indexed(plan, apartFrom: backlog, limit: .max, in: db)
    guard plan.indexExpression != nil else { return ids }
    let known = Set(ids)
    ids += try compared(plan, apartFrom: backlog, in: db).filter { !known.contains($0) }
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
    guard try list.key(of: id, in: db) != nil else { return false }
    guard let plan else { return true }
    return try SearchedTexts(id, in: db).map(plan.isFound) ?? false
  }

  /// Walks along what meets the conditions.
  private func listed(limit: Int, in db: Database) throws -> [Int64] {
    var found: [Int64] = []
    var keys = try list.keys(limit: limit, in: db)
    while let key = try keys.next() { found.append(try key.number(1)) }
    return found
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
    _ plan: SearchPlan,
    apartFrom backlog: SearchIndex.Backlog,
    limit: Int,
    in db: Database
  ) throws -> [Int64] {
    guard !backlog.isUnknown else { return [] }
    guard let expression = plan.indexExpression else {
      return try walked(plan, apartFrom: backlog, limit: limit, in: db)
    }
    func find(_ expression: String, order: String, limit: Int) throws -> [Int64] {
      let match = ListSource.Condition("search_index MATCH ?", expression)
      return try ids(plan, where: [match] + plan.leftOver, order: order, limit: limit, in: db)
        .filter(backlog.isIndexed)
    }
    let (newestFirst, most) = ("search_index.rowid DESC", Self.maximumRankedCount)
    // One more than are ranked tells whether there are more.
    let newest = try find(
      try plan.indexExpression(IndexedWords(db: db).phrase) ?? expression,
      order: newestFirst,
      limit: most + 1
    )
    if newest.count <= most {
      // The weight of a term is that of all words that begin with it.
      let ranked = "bm25(search_index, 8.0, 4.0, 1.0), \(newestFirst)"
      return try find(expression, order: ranked, limit: .max)
    }
    return limit <= newest.count ? newest : try find(expression, order: newestFirst, limit: .max)
  }

  /// Compares every text that the index holds with the terms.
  private func compared(
    _ plan: SearchPlan,
    apartFrom backlog: SearchIndex.Backlog,
    in db: Database
  ) throws -> [Int64] {
    guard !backlog.isUnknown else { return [] }
    return try ids(
      plan,
      where: [plan.comparison],
      order: "search_index.rowid DESC",
      limit: .max,
      in: db
    )
    .filter(backlog.isIndexed)
  }

  private func ids(
    _ plan: SearchPlan,
    where conditions: [ListSource.Condition],
    order: String,
    limit: Int,
    in db: Database
  ) throws -> [Int64] {
    let all = conditions + list.source.others
    var sql = "SELECT search_index.rowid FROM search_index"
    if all.count > conditions.count || plan.hasConditions {
      sql += " CROSS JOIN snippet ON snippet.id = search_index.rowid"
    }
    sql += " WHERE \(all.map(\.sql).joined(separator: " AND ")) ORDER BY \(order) LIMIT ?"
    return try db.numbers(sql, all.flatMap(\.arguments) + [limit.databaseValue])
  }

  /// Walks along what meets the conditions, and compares the texts that the index holds.
  private func walked(
    _ plan: SearchPlan,
    apartFrom backlog: SearchIndex.Backlog,
    limit: Int,
    in db: Database
  ) throws -> [Int64] {
    let (source, comparison) = (list.source, plan.comparison)
    let conditions = [source.place] + source.others + [comparison]
    var rows = try SteppedStatement(
      """
      SELECT snippet.id FROM snippet INDEXED BY \(source.index)
      CROSS JOIN search_index ON search_index.rowid = snippet.id
      WHERE \(conditions.map(\.sql).joined(separator: " AND "))
      ORDER BY created_at DESC, snippet.id DESC
      """,
      in: db
    )
    for argument in conditions.flatMap(\.arguments) { try rows.bind(argument) }
    var found: [Int64] = []
    while found.count < limit, let id = try rows.next()?.number(0) {
      if backlog.isIndexed(id) { found.append(id) }
    }
    return found
  }
}
