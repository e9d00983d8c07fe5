import GRDB

/// Finds the snippets that match a query, in one snapshot.
///
/// First come those that the index does not hold yet, newest first. Those with every term at the
/// beginning of a word follow, most relevant first, and then those with a term inside a word only,
/// newest first. Last come those with a term in the name of a file only. In the trash every text is
/// compared, newest first; the same goes for indexed texts if a snippet without any term may match.
/// A query without words walks a list.
struct SearchRun: Sendable {
  let query: SearchQuery
  /// The search for words; `nil` for a query that only has conditions.
  private let plan: SearchPlan?
  /// The list of snippets to search.
  let list: ListQuery

  /// If more than this many match, the newest come first instead of the most relevant.
  ///
  /// Ranking more would take too long for a first screen, and ever longer as the store grows.
  static let maximumRankedCount = 500

  init(_ query: SearchQuery, filter: SnippetFilter) {
    self.query = query
    let (filter, rest) = filter.split(query)
    plan = rest.map(SearchPlan.init)
    list = ListQuery(filter: filter, order: .newestFirst)
  }

  /// Returns the first matches, without those that only have a term inside a word or in the name of
  /// a file, and whether the index is up to date.
  func first(_ limit: Int, in db: Database) throws -> (ids: [Int64], isIndexed: Bool) {
    guard let plan else { return (try listed(limit: limit, in: db), true) }
    let backlog = try SearchIndex.backlog(in: db)
    if list.filter.isInTrash { return (try trashed(limit: limit, in: db), backlog.isEmpty) }
    var ids = try unindexed(backlog, limit: limit, in: db)
    if ids.count < limit {
      ids += try indexed(plan, apartFrom: backlog, limit: limit - ids.count, in: db)
        .filter { try !isExcludedByName($0, plan, in: db) }
    }
    return (Array(ids.prefix(limit)), backlog.isEmpty)
  }

  /// Returns all matches.
  func all(in db: Database) throws -> [Int64] {
    guard let plan else { return try listed(limit: .max, in: db) }
    if list.filter.isInTrash { return try trashed(limit: .max, in: db) }
    let backlog = try SearchIndex.backlog(in: db)
    var ids = try unindexed(backlog, limit: .max, in: db)
    ids += try indexed(plan, apartFrom: backlog, limit: .max, in: db)
    if plan.indexExpression != nil {
      let known = Set(ids)
      ids += try compared(plan, apartFrom: backlog, in: db).filter { !known.contains($0) }
    }
    return try regardingNames(ids, plan, in: db)
  }

  /// Returns those of some snippets that match.
  func matches(among ids: some Sequence<Int64>, in db: Database) throws -> [Int64] {
    try ids.filter { try matches($0, in: db) }
  }

  // MARK: - Ways to search

  private func matches(_ id: Int64, in db: Database) throws -> Bool {
    let id = SnippetID(rawValue: id)
    // Check the row first, since that reads no text.
    guard try list.key(of: id, in: db) != nil else { return false }
    guard let plan else { return true }
    guard let texts = try SearchedTexts(id, in: db) else { return false }
    let isFound = plan.isFound(in: texts)
    guard isFound ? plan.excludesNames : plan.looksForNames else { return isFound }
    return plan.isFound(in: texts, try FileNameWords(id, in: db))
  }

  /// Walks the snippets that meet the conditions.
  private func listed(limit: Int, in db: Database) throws -> [Int64] {
    var found: [Int64] = []
    var keys = try list.keys(limit: limit, in: db)
    while let key = try keys.next() { found.append(try key.number(1)) }
    return found
  }

  /// Compares every snippet in the trash.
  private func trashed(limit: Int, in db: Database) throws -> [Int64] {
    var found: [Int64] = []
    var keys = try list.keys(in: db)
    while found.count < limit, let key = try keys.next() {
      let id = try key.number(1)
      if try matches(id, in: db) { found.append(id) }
    }
    return found
  }

  /// Compares every snippet whose present state is not in the index.
  private func unindexed(
    _ backlog: SearchIndex.Backlog,
    limit: Int,
    in db: Database
  ) throws -> [Int64] {
    var found: [Int64] = []
    if let start = backlog.isUnknown ? 1 : backlog.unindexedFrom {
      var ids = try db.stepped(
        "SELECT id FROM snippet WHERE id >= ? ORDER BY id DESC",
        [start.databaseValue]
      )
      while found.count < limit, let id = try ids.next()?.number(0) {
        if try matches(id, in: db) { found.append(id) }
      }
    }
    for id in backlog.changed.sorted(by: >) where found.count < limit {
      if try matches(id, in: db) { found.append(id) }
    }
    return found
  }

  /// Asks the index for terms at the beginning of a word.
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
    }
    let (newestFirst, most) = ("search_index.rowid DESC", Self.maximumRankedCount)
    // One more than are ranked shows whether there are too many. Those of the backlog count, or
    // one changed snippet would have every match of a common word ranked.
    let newest = try find(
      try plan.indexExpression(IndexedWords(db: db).phrase) ?? expression,
      order: newestFirst,
      limit: most + 1
    )
    if newest.count <= most {
      // BM25 weighs a term by all words that begin with it.
      let ranked = "bm25(search_index, 8.0, 4.0, 1.0), \(newestFirst)"
      return try find(expression, order: ranked, limit: .max).filter(backlog.isIndexed)
    }
    let first = newest.filter(backlog.isIndexed)
    return try limit <= first.count
      ? first
      : find(expression, order: newestFirst, limit: .max).filter(backlog.isIndexed)
  }

  /// Compares every indexed text with the terms.
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

  /// Walks the snippets that meet the conditions, and compares their indexed texts.
  private func walked(
    _ plan: SearchPlan,
    apartFrom backlog: SearchIndex.Backlog,
    limit: Int,
    in db: Database
  ) throws -> [Int64] {
    let (source, comparison) = (list.source, plan.comparison)
    let conditions = [source.place] + source.others + [comparison]
    var rows = try db.stepped(
      """
      SELECT snippet.id FROM snippet INDEXED BY \(source.index)
      CROSS JOIN search_index ON search_index.rowid = snippet.id
      WHERE \(conditions.map(\.sql).joined(separator: " AND "))
      ORDER BY created_at DESC, snippet.id DESC
      """,
      conditions.flatMap(\.arguments)
    )
    var found: [Int64] = []
    while found.count < limit, let id = try rows.next()?.number(0) {
      if backlog.isIndexed(id) { found.append(id) }
    }
    return found
  }

  // MARK: - Names of files

  /// Whether a snippet with matching texts has an excluded term in the name of a file.
  private func isExcludedByName(
    _ id: Int64,
    _ plan: SearchPlan,
    in db: Database
  ) throws -> Bool {
    guard plan.excludesNames else { return false }
    let id = SnippetID(rawValue: id)
    let names = try FileNameWords(id, in: db)
    guard plan.isNamed(in: names), let texts = try SearchedTexts(id, in: db) else { return false }
    return !plan.isFound(in: texts, names)
  }

  /// Returns the snippets found in texts without those excluded by the name of a file, and then
  /// those found with such names, which were saved last first.
  private func regardingNames(
    _ ids: [Int64],
    _ plan: SearchPlan,
    in db: Database
  ) throws -> [Int64] {
    guard plan.looksForNames else { return ids }
    let known = Set(ids)
    var (excluded, found): (Set<Int64>, [Int64]) = ([], [])
    try FileNameWords.forEach(in: list.source, of: db) { id, names in
      guard plan.isNamed(in: names), plan.excludesNames || !known.contains(id) else { return }
      let isFound =
        try plan.isCertain(in: names)
        || SearchedTexts(SnippetID(rawValue: id), in: db).map { plan.isFound(in: $0, names) }
          ?? false
      if !isFound { excluded.insert(id) } else if !known.contains(id) { found.append(id) }
    }
    return ids.filter { !excluded.contains($0) } + found
  }
}
