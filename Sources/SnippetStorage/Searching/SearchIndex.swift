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
  }

  /// What the index lacks, in the snapshot that `db` sees.
  ///
  /// - Complexity: O(*m*) in the number of changes that it has not followed.
  static func backlog(in db: Database) throws -> Backlog {
    guard let state = try followableState(in: db) else { return Backlog(isUnknown: true) }
    let statement = try db.cachedStatement(
      sql: "SELECT DISTINCT snippet_id FROM change WHERE number > ?"
    )
    var changed = try Set(Int64.fetchCursor(statement, arguments: [state.changeNumber]))
    if let start = state.unindexedFrom { changed = changed.filter { $0 < start } }
    return Backlog(changed: changed, unindexedFrom: state.unindexedFrom)
  }

  /// Brings the index up to date, as far as a deadline allows.
  ///
  /// - Parameters:
  ///   - isOver: Asked before each snippet.
  ///   - db: The writer, in a transaction.
  /// - Returns: Whether the index is up to date.
  /// - Throws: What SQLite says.
  static func catchUp(
    until isOver: () -> Bool = { false },
    in db: Database
  ) throws -> Bool {
    let last = try ChangeRecord.lastNumber(in: db)
    // What the index holds of another state is replaced bit by bit, since to empty it would keep
    // other writers waiting.
    var state = try followableState(in: db) ?? State(changeNumber: last, unindexedFrom: 1)
    let isFollowed = try follow(&state, isOver, in: db)
    try set(state, in: db)
    guard isFollowed else { return false }
    guard let start = state.unindexedFrom else { return true }
    return try extend(from: start, after: last, isOver, in: db)
  }

  // MARK: - Bringing it up to date

  /// Indexes again what was changed, in the order of the changes, so that how far it has come can
  /// be told by a number.
  ///
  /// - Returns: Whether all changes were followed.
  private static func follow(
    _ state: inout State,
    _ isOver: () -> Bool,
    in db: Database
  ) throws -> Bool {
    // A piece at a time: a step that ends early has not read them all.
    let changes = try db.cachedStatement(
      sql: "SELECT number, snippet_id FROM change WHERE number > ? ORDER BY number LIMIT 1024"
    )
    var done: Set<Int64> = []
    while true {
      let rows = try Row.fetchAll(changes, arguments: [state.changeNumber])
      guard !rows.isEmpty else { return true }
      for row in rows {
        let (number, id): (Int64, Int64) = (row[0], row[1])
        if id < state.unindexedFrom ?? .max, !done.contains(id) {
          if isOver() { return false }
          try index(id, in: db)
          done.insert(id)
        }
        state.changeNumber = number
      }
    }
  }

  /// Indexes the snippets that never were.
  private static func extend(
    from start: Int64,
    after last: Int64,
    _ isOver: () -> Bool,
    in db: Database
  ) throws -> Bool {
    let next = try db.cachedStatement(
      sql: "SELECT id FROM snippet WHERE id >= ? ORDER BY id LIMIT 256"
    )
    var position = start
    while true {
      let ids = try Int64.fetchAll(next, arguments: [position])
      // Those that are gone and that no change names any more; a new index has none.
      let gone = try indexed(in: position...(ids.last ?? .max), in: db).subtracting(ids)
      for id in (ids + gone).sorted() {
        if isOver() {
          try set(State(changeNumber: last, unindexedFrom: position), in: db)
          return false
        }
        try index(id, in: db)
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
    let statement = try db.cachedStatement(
      sql: "SELECT rowid FROM search_index WHERE rowid BETWEEN ? AND ?"
    )
    return try Set(Int64.fetchCursor(statement, arguments: [range.lowerBound, range.upperBound]))
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

  /// What the index says of itself, if the record of changes goes back to there.
  private static func followableState(in db: Database) throws -> State? {
    let last = try ChangeRecord.lastNumber(in: db)
    guard let state = try state(in: db), state.changeNumber <= last else { return nil }
    let first = try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(number) FROM change"))
    guard state.changeNumber == last || first ?? .max <= state.changeNumber + 1 else { return nil }
    return state
  }

  /// What the index says of itself; `nil` when it was made by other rules.
  private static func state(in db: Database) throws -> State? {
    let statement = try db.cachedStatement(
      sql: "SELECT change_number, unindexed_from, rules FROM search_state"
    )
    guard let row = try Row.fetchOne(statement), row[2] == SearchText.rules else { return nil }
    return State(changeNumber: row[0], unindexedFrom: row[1])
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
