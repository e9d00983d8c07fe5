import Foundation
import GRDB

/// The only place where the search index and the snippets meet.
///
/// The index holds every snippet below `unindexed_from`, as it was after the change
/// `change_number`, but for those in the trash, which nobody pays for but who looks there. What it
/// lacks is known exactly: the snippets from there on, and those that were changed since.
enum SearchIndex {
  /// How much of the store the index holds.
  struct State: Equatable {
    var changeNumber: Int64
    /// The first snippet that is not in the index; `nil` when all are.
    var unindexedFrom: Int64?
  }

  /// What the index lacks.
  struct Backlog {
    /// The snippets that were changed since, those that are gone included.
    var changed: Set<Int64> = []
    /// The first snippet that was never indexed; `nil` when all were.
    var unindexedFrom: Int64?
    /// Whether more has happened than can be told; all of the index counts for nothing.
    var isUnknown = false

    /// Whether the index holds everything.
    var isEmpty: Bool { changed.isEmpty && unindexedFrom == nil && !isUnknown }

    /// Whether the index holds a snippet as it is now.
    func isIndexed(_ id: Int64) -> Bool {
      !changed.contains(id) && id < unindexedFrom ?? .max
    }
  }

  /// What the index lacks, in the snapshot that `db` sees.
  ///
  /// - Complexity: O(*m*) in the number of changes that it has not followed.
  static func backlog(in db: Database) throws -> Backlog {
    guard let state = try followableState(in: db) else { return Backlog(isUnknown: true) }
    var changed = Set(
      try db.numbers(
        "SELECT DISTINCT snippet_id FROM change WHERE number > ?",
        [state.changeNumber.databaseValue]
      )
    )
    if let start = state.unindexedFrom { changed = changed.filter { $0 < start } }
    return Backlog(changed: changed, unindexedFrom: state.unindexedFrom)
  }

  /// Brings the index up to date, as far as a deadline allows.
  ///
  /// - Parameters:
  ///   - isOver: Asked before each snippet.
  ///   - longTexts: Those that are ready. It wants one where that ended the step.
  ///   - db: The writer, in a transaction.
  /// - Returns: Whether the index is up to date.
  /// - Throws: What SQLite says.
  static func catchUp(
    until isOver: () -> Bool = { false },
    _ longTexts: inout LongTexts,
    in db: Database
  ) throws -> Bool {
    let last = try ChangeRecord.lastNumber(in: db)
    // What the index holds of another state is replaced bit by bit, since to empty it would keep
    // other writers waiting.
    var state = try followableState(in: db) ?? State(changeNumber: last, unindexedFrom: 1)
    let isFollowed = try follow(&state, isOver, &longTexts, in: db)
    try set(state, in: db)
    guard isFollowed else { return false }
    guard let start = state.unindexedFrom else { return true }
    return try extend(from: start, after: last, isOver, &longTexts, in: db)
  }

  /// Makes the index anew and empty, with the tables that it is kept in.
  static func makeAnew(_ schema: StoreSchema, in db: Database) throws {
    guard let table = schema.entries.first(where: { $0.name == "search_index" }) else { return }
    try db.execute(sql: "DROP TABLE search_index")
    try db.execute(sql: table.sql)
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO search_state (id, change_number, unindexed_from, rules)
        VALUES (1, ?, 1, ?)
        """,
      arguments: [try ChangeRecord.lastNumber(in: db), SearchText.rules]
    )
  }

  // MARK: - Bringing it up to date

  /// Indexes again what was changed, in the order of the changes, so that how far it has come can
  /// be told by a number.
  ///
  /// - Returns: Whether all changes were followed.
  private static func follow(
    _ state: inout State,
    _ isOver: () -> Bool,
    _ longTexts: inout LongTexts,
    in db: Database
  ) throws -> Bool {
    // A piece at a time: a step that ends early has not read them all.
    let changes = """
      SELECT number, snippet_id FROM change WHERE number > ? ORDER BY number LIMIT 1024
      """
    var done: Set<Int64> = []
    while true {
      let rows = try db.values(changes, [state.changeNumber.databaseValue]) { row in
        (number: try row.number(0), id: try row.number(1))
      }
      guard !rows.isEmpty else { return true }
      for (number, id) in rows {
        try requireOrder(state.changeNumber, number)
        if id < state.unindexedFrom ?? .max, !done.contains(id) {
          if isOver() { return false }
          guard try index(id, &longTexts, in: db) else { return false }
          done.insert(id)
        }
        state.changeNumber = number
      }
    }
  }

  /// In a damaged file the rows may lead in a circle.
  private static func requireOrder(_ former: Int64, _ latter: Int64) throws {
    guard former < latter else {
      throw DatabaseError.damage("rows are not in their order: \(latter) comes after \(former)")
    }
  }

  /// Indexes the snippets that never were.
  private static func extend(
    from start: Int64,
    after last: Int64,
    _ isOver: () -> Bool,
    _ longTexts: inout LongTexts,
    in db: Database
  ) throws -> Bool {
    // Either the first number after those that are done, or one that the shell has given.
    var position = start
    while true {
      let ids = try db.numbers(
        "SELECT id FROM snippet WHERE id >= ? ORDER BY id LIMIT 256",
        [position.databaseValue]
      )
      for (former, latter) in zip(ids, ids.dropFirst()) { try requireOrder(former, latter) }
      if let first = ids.first, first != position { try requireOrder(position, first) }
      // Those that are gone and that no change names any more; a new index has none.
      let gone = try indexed(in: position...(ids.last ?? .max), in: db).subtracting(ids)
      for id in (ids + gone).sorted() {
        guard !isOver(), try index(id, &longTexts, in: db) else {
          try set(State(changeNumber: last, unindexedFrom: position), in: db)
          return false
        }
        // The shell can give a snippet the highest number there is.
        position = id == .max ? id : id + 1
      }
      if ids.isEmpty || ids.last == .max { break }
    }
    try set(State(changeNumber: last, unindexedFrom: nil), in: db)
    return true
  }

  /// The snippets that the index has words of, whether or not those are still right.
  private static func indexed(in range: ClosedRange<Int64>, in db: Database) throws -> Set<Int64> {
    Set(
      try db.numbers(
        "SELECT rowid FROM search_index WHERE rowid BETWEEN ? AND ?",
        [range.lowerBound.databaseValue, range.upperBound.databaseValue]
      )
    )
  }

  /// Puts a snippet into the index as it is now; one that is gone, or in the trash, is taken out.
  ///
  /// - Returns: Whether that was done; a long text must be ready.
  private static func index(
    _ id: Int64,
    _ longTexts: inout LongTexts,
    in db: Database
  ) throws -> Bool {
    let found = try SearchedTexts.indexed(SnippetID(rawValue: id), &longTexts, in: db)
    if case .notReady = found { return false }
    try db.cachedStatement(sql: "DELETE FROM search_index WHERE rowid = ?").execute(
      arguments: [id]
    )
    guard case .texts(let texts) = found else { return true }
    try db.cachedStatement(
      sql: "INSERT INTO search_index (rowid, title, tags, body) VALUES (?, ?, ?, ?)"
    )
    .execute(arguments: [id, texts.title.words, texts.tags.words, texts.body.words])
    return true
  }

  // MARK: - State

  /// What the index says of itself, if the record of changes goes back to there.
  private static func followableState(in db: Database) throws -> State? {
    let last = try ChangeRecord.lastNumber(in: db)
    guard let state = try state(in: db), state.changeNumber <= last else { return nil }
    let first = try db.number("SELECT min(number) FROM change")
    guard state.changeNumber == last || first ?? .max <= state.changeNumber + 1 else { return nil }
    return state
  }

  /// What the index says of itself; `nil` when it was made by other rules.
  private static func state(in db: Database) throws -> State? {
    try db.value("SELECT change_number, unindexed_from, rules FROM search_state") { row in
      let state = State(
        changeNumber: try row.number(0),
        unindexedFrom: try row.optionalNumber(1)
      )
      return try row.number(2) == Int64(SearchText.rules) ? state : nil
    } ?? nil
  }

  private static func set(_ state: State, in db: Database) throws {
    try db.cachedStatement(
      sql: """
        UPDATE search_state SET change_number = ?1, unindexed_from = ?2, rules = ?3
        WHERE (change_number, unindexed_from, rules) IS NOT (?1, ?2, ?3)
        """
    )
    .execute(arguments: [state.changeNumber, state.unindexedFrom, SearchText.rules])
  }
}
