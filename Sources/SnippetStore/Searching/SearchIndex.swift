import Foundation
import GRDB

/// The only place where the search index and the snippets meet.
///
/// The index holds every snippet below `unindexed_from`, as it was after the change `change_seq`,
/// but for those in the trash, which nobody pays for but who looks there.
/// What it lacks is known exactly: the snippets from there on, and those that were changed since.
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
  }

  /// What the index lacks, in the snapshot that `db` sees.
  ///
  /// - Complexity: O(*m*) in the number of changes that it has not followed.
  static func backlog(in db: Database) throws -> Backlog {
    guard let state = try state(in: db) else { return Backlog(isUnknown: true) }
    let last = try ChangeRecord.lastNumber(in: db)
    guard last >= state.changeNumber else { return Backlog(isUnknown: true) }
    let first = try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(seq) FROM change"))
    if last > state.changeNumber, (first ?? .max) > state.changeNumber + 1 {
      return Backlog(isUnknown: true)
    }
    let statement = try db.cachedStatement(
      sql: "SELECT DISTINCT snippet_id FROM change WHERE seq > ?"
    )
    var changed = try Set(Int64.fetchCursor(statement, arguments: [state.changeNumber]))
    if let start = state.unindexedFrom { changed = changed.filter { $0 < start } }
    return Backlog(changed: changed, unindexedFrom: state.unindexedFrom)
  }

  /// Brings the index up to date, as far as a limit of snippets and a deadline allow.
  ///
  /// - Parameters:
  ///   - limit: How many snippets to index at most.
  ///   - isOver: Asked after each snippet.
  ///   - db: The writer, in a transaction.
  /// - Returns: Whether the index is up to date.
  /// - Throws: What SQLite says.
  static func catchUp(
    limit: Int = .max,
    until isOver: () -> Bool = { false },
    in db: Database
  ) throws -> Bool {
    var backlog = try backlog(in: db)
    let last = try ChangeRecord.lastNumber(in: db)
    if backlog.isUnknown {
      try db.execute(sql: "DELETE FROM search_index")
      try set(State(changeNumber: last, unindexedFrom: 1), in: db)
      backlog = Backlog(unindexedFrom: 1)
    }
    var count = 0
    // In their order, so that what has been done can be told by a number if it is not all.
    if !backlog.changed.isEmpty {
      guard try follow(backlog.changed, to: last, limit: limit, &count, isOver, in: db) else {
        return false
      }
    } else {
      try set(State(changeNumber: last, unindexedFrom: backlog.unindexedFrom), in: db)
    }
    guard let start = backlog.unindexedFrom else { return true }
    return try extend(from: start, after: last, limit: limit, &count, isOver, in: db)
  }

  // MARK: - Bringing it up to date

  /// Indexes again what was changed.
  private static func follow(
    _ changed: Set<Int64>,
    to last: Int64,
    limit: Int,
    _ count: inout Int,
    _ isOver: () -> Bool,
    in db: Database
  ) throws -> Bool {
    guard let state = try state(in: db) else { return false }
    let changes = try db.cachedStatement(
      sql: "SELECT seq, snippet_id FROM change WHERE seq > ? ORDER BY seq"
    )
    var done: Set<Int64> = []
    var reached = state.changeNumber
    let rows = try Row.fetchAll(changes, arguments: [state.changeNumber])
    for row in rows {
      let (number, id): (Int64, Int64) = (row[0], row[1])
      if changed.contains(id), !done.contains(id) {
        if count >= limit || isOver() {
          try set(State(changeNumber: reached, unindexedFrom: state.unindexedFrom), in: db)
          return false
        }
        try index(id, in: db)
        done.insert(id)
        count += 1
      }
      reached = number
    }
    try set(State(changeNumber: last, unindexedFrom: state.unindexedFrom), in: db)
    return true
  }

  /// Indexes the snippets that never were.
  private static func extend(
    from start: Int64,
    after last: Int64,
    limit: Int,
    _ count: inout Int,
    _ isOver: () -> Bool,
    in db: Database
  ) throws -> Bool {
    let next = try db.cachedStatement(
      sql: "SELECT id FROM snippet WHERE id >= ? ORDER BY id LIMIT 256"
    )
    var position = start
    while true {
      let ids = try Int64.fetchAll(next, arguments: [position])
      guard !ids.isEmpty else { break }
      for id in ids {
        if count >= limit || isOver() {
          try set(State(changeNumber: last, unindexedFrom: position), in: db)
          return false
        }
        try index(id, in: db)
        count += 1
        position = id + 1
      }
    }
    try set(State(changeNumber: last, unindexedFrom: nil), in: db)
    return true
  }

  /// Puts a snippet into the index as it is now; one that is gone, or in the trash, is taken out.
  private static func index(_ id: Int64, in db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM search_index WHERE rowid = ?").execute(
      arguments: [id]
    )
    guard let texts = try SearchedTexts(SnippetID(rawValue: id), in: db), !texts.isInTrash else {
      return
    }
    try db.cachedStatement(
      sql: "INSERT INTO search_index (rowid, title, tags, body) VALUES (?, ?, ?, ?)"
    )
    .execute(arguments: [id, texts.title.words, texts.tags.words, texts.body.words])
  }

  // MARK: - State

  /// What the index says of itself; `nil` when it was made by other rules.
  private static func state(in db: Database) throws -> State? {
    let statement = try db.cachedStatement(
      sql: "SELECT change_seq, unindexed_from, rules FROM search_state"
    )
    guard let row = try Row.fetchOne(statement), row[2] == SearchText.rules else { return nil }
    return State(changeNumber: row[0], unindexedFrom: row[1])
  }

  private static func set(_ state: State, in db: Database) throws {
    try db.cachedStatement(
      sql: """
        UPDATE search_state SET change_seq = ?1, unindexed_from = ?2, rules = ?3
        WHERE (change_seq, unindexed_from, rules) IS NOT (?1, ?2, ?3)
        """
    )
    .execute(arguments: [state.changeNumber, state.unindexedFrom, SearchText.rules])
  }
}
