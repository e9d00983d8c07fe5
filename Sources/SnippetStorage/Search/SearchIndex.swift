import Foundation
import GRDB

/// The only place where the search index and the snippets meet.
///
/// The index holds every snippet below `unindexed_from`, as it was after change number
/// `change_number`. Snippets in the trash are not indexed, so that only searches of the trash pay
/// for them. It is known exactly which snippets the index lacks: those from `unindexed_from` on,
/// and those changed since.
enum SearchIndex {
  /// The part of the store that the index covers.
  struct State: Equatable {
    var changeNumber: Int64
    /// The first snippet that is not in the index; `nil` if all are.
    var unindexedFrom: Int64?
  }

  /// The snippets that the index lacks.
  struct Backlog {
    /// The snippets changed since the last update, including deleted ones.
    var changed: Set<Int64> = []
    /// The first snippet that was never indexed; `nil` if all were.
    var unindexedFrom: Int64?
    /// Whether the record of changes cannot tell what changed; then nothing in the index can be
    /// used.
    var isUnknown = false

    /// Whether the index is up to date.
    var isEmpty: Bool { changed.isEmpty && unindexedFrom == nil && !isUnknown }

    /// Whether the index holds the present state of a snippet.
    func isIndexed(_ id: Int64) -> Bool {
      !changed.contains(id) && id < unindexedFrom ?? .max
    }
  }

  /// Returns the snippets that the index lacks, in the snapshot that `db` sees.
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

  /// Updates the index in a transaction as far as a deadline allows, and returns whether it is up
  /// to date.
  ///
  /// `isOver` tells before each snippet whether the time is up. ``LongTexts`` has the text that was
  /// prepared, and names the one that ended the step, if one did.
  static func catchUp(
    until isOver: () -> Bool = { false },
    _ longTexts: inout LongTexts,
    in db: Database
  ) throws -> Bool {
    try setSegmentCount(in: db)
    let last = try ChangeRecord.lastNumber(in: db)
    // Entries of an unknown state are replaced one by one: emptying the index would keep other
    // writers waiting.
    var state = try followableState(in: db) ?? State(changeNumber: last, unindexedFrom: 1)
    var statements = try Statements(in: db)
    let isFollowed = try follow(&state, isOver, &longTexts, &statements, in: db)
    try set(state, in: db)
    guard isFollowed else { return false }
    guard let start = state.unindexedFrom else { return true }
    return try extend(from: start, after: last, isOver, &longTexts, &statements, in: db)
  }

  /// Replaces the index and its tables with an empty one.
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

  /// The statements for each snippet of an update: to look them up costs a twentieth of indexing a
  /// short text.
  private struct Statements: ~Copyable {
    var texts: SearchedTexts.Reader
    private var entry: SteppedStatement
    private var insertion: SteppedStatement

    init(in db: Database) throws {
      let texts = try SearchedTexts.Reader(in: db)
      let entry = try SteppedStatement(
        "SELECT 1 FROM search_index_content WHERE id = ?",
        in: db
      )
      let insertion = try SteppedStatement(
        "INSERT INTO search_index (rowid, title, tags, body) VALUES (?, ?, ?, ?)",
        in: db,
        writes: true
      )
      // Last: a part that cannot be copied may not be there alone when another throws.
      self.texts = texts
      self.entry = entry
      self.insertion = insertion
    }

    /// Whether the index has words of a snippet; most have none yet.
    ///
    /// This takes a fraction of the time of an empty deletion, for which FTS5 makes a cursor.
    mutating func hasEntry(_ id: Int64) throws -> Bool {
      defer { entry.reset() }
      try entry.bind(id)
      return try entry.next() != nil
    }

    mutating func insert(_ texts: SearchedTexts, as id: Int64) throws {
      defer { insertion.reset() }
      try insertion.bind(id)
      try insertion.bind(texts.title.words)
      try insertion.bind(texts.tags.words)
      try insertion.bind(texts.body.words)
      _ = try insertion.next()
    }
  }

  /// The number of segments of one size that FTS5 merges into a larger one.
  ///
  /// With its default of 4, words are copied more often on their way into large segments. A search
  /// looks into every segment, and takes no longer with some more.
  private static let segmentCount: Int64 = 8

  /// Has FTS5 merge segments by our number, which it keeps in the file.
  private static func setSegmentCount(in db: Database) throws {
    let known = try db.number("SELECT v FROM search_index_config WHERE k = 'automerge'")
    guard known != segmentCount else { return }
    try db.execute(
      sql: "INSERT INTO search_index (search_index, rank) VALUES ('automerge', ?)",
      arguments: [segmentCount]
    )
  }

  /// Indexes changed snippets again in the order of the changes, so that a number can tell how far
  /// this has come; returns whether all were followed.
  private static func follow(
    _ state: inout State,
    _ isOver: () -> Bool,
    _ longTexts: inout LongTexts,
    _ statements: inout Statements,
    in db: Database
  ) throws -> Bool {
    // In pieces, so that a step that ends early has not read all of them.
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
          let hasEntry = try statements.hasEntry(id)
          guard try index(id, hasEntry: hasEntry, &longTexts, &statements, in: db) else {
            return false
          }
          done.insert(id)
        }
        state.changeNumber = number
      }
    }
  }

  /// Guards against rows that form a circle in a damaged file.
  private static func requireOrder(_ former: Int64, _ latter: Int64) throws {
    guard former < latter else {
      throw DatabaseError.damage("rows are not in their order: \(latter) comes after \(former)")
    }
  }

  /// Indexes snippets that have never been indexed.
  private static func extend(
    from start: Int64,
    after last: Int64,
    _ isOver: () -> Bool,
    _ longTexts: inout LongTexts,
    _ statements: inout Statements,
    in db: Database
  ) throws -> Bool {
    // The first number not done yet, or one that was assigned with the sqlite3 shell.
    var position = start
    while true {
      let ids = try db.numbers(
        "SELECT id FROM snippet WHERE id >= ? ORDER BY id LIMIT 256",
        [position.databaseValue]
      )
      for (former, latter) in zip(ids, ids.dropFirst()) { try requireOrder(former, latter) }
      if let first = ids.first, first != position { try requireOrder(position, first) }
      // Among them are deleted snippets that no change mentions any more. A fresh index has none.
      let entries = try indexed(in: position...(ids.last ?? .max), in: db)
      for id in (ids + entries.subtracting(ids)).sorted() {
        let hasEntry = entries.contains(id)
        guard !isOver(), try index(id, hasEntry: hasEntry, &longTexts, &statements, in: db) else {
          try set(State(changeNumber: last, unindexedFrom: position), in: db)
          return false
        }
        // With the sqlite3 shell a snippet can get the highest number there is.
        position = id == .max ? id : id + 1
      }
      if ids.isEmpty || ids.last == .max { break }
    }
    try set(State(changeNumber: last, unindexedFrom: nil), in: db)
    return true
  }

  /// Returns the snippets with words in the index, whether or not those are up to date.
  private static func indexed(in range: ClosedRange<Int64>, in db: Database) throws -> Set<Int64> {
    Set(
      try db.numbers(
        "SELECT rowid FROM search_index WHERE rowid BETWEEN ? AND ?",
        [range.lowerBound.databaseValue, range.upperBound.databaseValue]
      )
    )
  }

  /// Indexes the present state of a snippet; one that is deleted or in the trash is removed.
  ///
  /// Returns `false` if a long text must be prepared first.
  private static func index(
    _ id: Int64,
    hasEntry: Bool,
    _ longTexts: inout LongTexts,
    _ statements: inout Statements,
    in db: Database
  ) throws -> Bool {
    let found = try statements.texts.indexed(SnippetID(rawValue: id), &longTexts, in: db)
    if case .notReady = found { return false }
    if hasEntry {
      try db.cachedStatement(sql: "DELETE FROM search_index WHERE rowid = ?").execute(
        arguments: [id]
      )
    }
    guard case .texts(let texts) = found else { return true }
    try statements.insert(texts, as: id)
    return true
  }

  // MARK: - State

  /// The state of the index, if the record of changes reaches back to it.
  private static func followableState(in db: Database) throws -> State? {
    let last = try ChangeRecord.lastNumber(in: db)
    guard let state = try state(in: db), state.changeNumber <= last else { return nil }
    let first = try db.number("SELECT min(number) FROM change")
    guard state.changeNumber == last || first ?? .max <= state.changeNumber + 1 else { return nil }
    return state
  }

  /// The recorded state of the index; `nil` if the index was made by other rules.
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
