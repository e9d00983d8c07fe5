import GRDB

/// One line of the record of changes, which the triggers write.
struct ChangeRecord: Sendable {
  /// What was done to the snippet, as the column `event` says it.
  enum Event: Int64, Sendable {
    case inserted = 1, updated, deleted, tagPutOn, tagTakenOff
  }

  /// What lists order and filter by, as it was before an update or a deletion.
  struct Former: Sendable {
    var kind: Int64
    var pinned: Int64
    var createdAt: Int64
    var modifiedAt: Int64
    var title: String
    var byteCount: Int64
    /// `nil` for what was not in the trash.
    var deletedAt: Int64?
  }

  var number: Int64
  var snippet: Int64
  var event: Event
  /// The tag that was put on or taken off.
  var tag: String?
  var former: Former?
  /// Whether the snippet is in the trash since; only of what was inserted or updated.
  var isInTrash: Bool

  /// Takes the columns of ``statement``; throws where a damaged file holds what cannot be.
  private init(_ row: StatementRow) throws {
    number = try row.number(0)
    snippet = try row.number(1)
    guard let event = Event(rawValue: try row.number(2)) else {
      throw DatabaseError.damage("change \(number) is impossible")
    }
    self.event = event
    switch event {
    case .inserted: break
    case .tagPutOn, .tagTakenOff: tag = try row.text(3)
    case .updated, .deleted:
      former = Former(
        kind: try row.number(4),
        pinned: try row.number(5),
        createdAt: try row.number(6),
        modifiedAt: try row.number(7),
        title: try row.text(8),
        byteCount: try row.number(9),
        deletedAt: try row.optionalNumber(10)
      )
    }
    isInTrash = try row.number(11) != 0
  }

  private static let statement = """
    SELECT number, snippet_id, event, tag, kind, pinned, created_at, modified_at, title,
      byte_count, deleted_at, in_trash
    FROM change WHERE number > ? ORDER BY number LIMIT ?
    """

  /// Leaves a number out, which tells those who follow the changes that they have to read everything
  /// again.
  static func leaveGap(in db: Database) throws {
    try db.execute(
      sql: """
        UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'change' AND seq < \(Int64.max);
        INSERT INTO sqlite_sequence (name, seq) SELECT 'change', 1
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'change')
        """
    )
  }

  /// The number of the last change that was recorded, 0 before the first.
  static func lastNumber(in db: Database) throws -> Int64 {
    try db.value("SELECT seq FROM sqlite_sequence WHERE name = 'change'") { try $0.number(0) } ?? 0
  }

  /// Reads the changes that follow one of a number.
  ///
  /// - Parameters:
  ///   - number: The last change that is known.
  ///   - limit: The most changes to read.
  ///   - db: Where to read, in a snapshot.
  /// - Returns: The changes in their order; `nil` when not all of them are recorded any more.
  /// - Throws: What reading throws.
  static func changes(
    after number: Int64,
    limit: Int,
    in db: Database
  ) throws -> [ChangeRecord]? {
    let last = try lastNumber(in: db)
    guard number >= 0, number <= last else { return nil }
    let count = min(Int64(limit), last - number)
    guard count > 0 else { return [] }
    var rows = try SteppedStatement(statement, in: db)
    try rows.bind(number)
    try rows.bind(count)
    var changes: [ChangeRecord] = []
    changes.reserveCapacity(Int(count))
    while let row = try rows.next() {
      changes.append(try ChangeRecord(row))
      // Numbers have no gaps: where one is missing, changes are.
      guard changes.last?.number == number + Int64(changes.count) else { return nil }
    }
    return changes.count == count ? changes : nil
  }
}

/// How far somebody has followed the record.
struct ChangeMark: Sendable, Equatable {
  /// The last change that is known.
  var number: Int64
  /// Moves when a backup was restored over the file, whatever numbers that brought along
  /// (https://www.sqlite.org/pragma.html#pragma_schema_version).
  private var schema: Int64

  /// Before everything, of a record that cannot be read.
  static let unknown = ChangeMark(number: -1, schema: 0)

  private init(number: Int64, schema: Int64) {
    (self.number, self.schema) = (number, schema)
  }

  /// The end of the record, unless damage hides it.
  init(knownEndIn db: Database) throws {
    do {
      try self.init(endIn: db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      self = .unknown
    }
  }

  /// The end of the record.
  init(endIn db: Database) throws {
    number = try ChangeRecord.lastNumber(in: db)
    schema = try Self.schema(in: db)
  }

  /// The mark after some changes.
  func advanced(by changes: [ChangeRecord]) -> ChangeMark {
    var mark = self
    mark.number = changes.last?.number ?? number
    return mark
  }

  /// Every change since, or `nil` when they are too many, or not all recorded any more.
  func changes(limit: Int, in db: Database) throws -> [ChangeRecord]? {
    guard try Self.schema(in: db) == schema,
      let changes = try ChangeRecord.changes(after: number, limit: limit + 1, in: db),
      changes.count <= limit
    else { return nil }
    return changes
  }

  private static func schema(in db: Database) throws -> Int64 {
    try db.number("PRAGMA schema_version") ?? 0
  }
}
