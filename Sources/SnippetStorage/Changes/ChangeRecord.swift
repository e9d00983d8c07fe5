import GRDB

/// An entry in the record of changes, written by triggers.
struct ChangeRecord: Sendable {
  /// The kind of change, with the values of the column `event`.
  enum Event: Int64, Sendable {
    case inserted = 1, updated, deleted, tagPutOn, tagTakenOff
  }

  /// The values that lists order and filter by, before an update or a deletion.
  struct Former: Sendable {
    var kind: Int64
    var pinned: Int64
    var createdAt: Int64
    var modifiedAt: Int64
    var title: String
    var byteCount: Int64
    /// `nil` if the snippet was not in the trash.
    var deletedAt: Int64?
  }

  var number: Int64
  var snippet: Int64
  var event: Event
  /// The tag that was added or removed.
  var tag: String?
  var former: Former?
  /// Whether the snippet was in the trash after the change; only for insertions and updates.
  var isInTrash: Bool

  /// Reads the columns of ``statement``; throws if a damaged file holds impossible values.
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

  /// Skips a number.
  ///
  /// Followers of the changes then know that they must read everything again.
  static func leaveGap(in db: Database) throws {
    try db.execute(
      sql: """
        UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'change' AND seq < \(Int64.max);
        INSERT INTO sqlite_sequence (name, seq) SELECT 'change', 1
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'change')
        """
    )
  }

  /// Returns the number of the last recorded change; 0 before the first.
  static func lastNumber(in db: Database) throws -> Int64 {
    try db.value("SELECT seq FROM sqlite_sequence WHERE name = 'change'") { try $0.number(0) } ?? 0
  }

  /// Reads the changes after a number in their order; `nil` if some are no longer recorded.
  static func changes(
    after number: Int64,
    limit: Int,
    in db: Database
  ) throws -> [ChangeRecord]? {
    let last = try lastNumber(in: db)
    guard number >= 0, number <= last else { return nil }
    let count = min(Int64(limit), last - number)
    guard count > 0 else { return [] }
    var rows = try db.stepped(
      statement,
      [number.databaseValue, count.databaseValue]
    )
    var changes: [ChangeRecord] = []
    changes.reserveCapacity(Int(count))
    while let row = try rows.next() {
      changes.append(try ChangeRecord(row))
      // Numbers have no gaps, so a missing number means missing changes.
      guard changes.last?.number == number + Int64(changes.count) else { return nil }
    }
    return changes.count == count ? changes : nil
  }
}

/// A position in the record of changes.
struct ChangeMark: Sendable, Equatable {
  /// The last known change.
  var number: Int64
  /// Changes when a backup is restored over the file, whatever its numbers are
  /// (https://www.sqlite.org/pragma.html#pragma_schema_version).
  private var schema: Int64

  /// A position before everything, for a record that cannot be read.
  static let unknown = ChangeMark(number: -1, schema: 0)

  private init(number: Int64, schema: Int64) {
    (self.number, self.schema) = (number, schema)
  }

  /// Marks the end of the record; ``unknown`` if damage hides it.
  init(knownEndIn db: Database) throws {
    do {
      try self.init(endIn: db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      self = .unknown
    }
  }

  /// Marks the end of the record.
  init(endIn db: Database) throws {
    number = try ChangeRecord.lastNumber(in: db)
    schema = try Self.schema(in: db)
  }

  /// Returns the mark after some changes.
  func advanced(by changes: [ChangeRecord]) -> ChangeMark {
    var mark = self
    mark.number = changes.last?.number ?? number
    return mark
  }

  /// Returns every change since the mark; `nil` if there are too many or some are no longer
  /// recorded.
  func changes(limit: Int, in db: Database) throws -> [ChangeRecord]? {
    guard try Self.schema(in: db) == schema,
      let changes = try ChangeRecord.changes(after: number, limit: limit + 1, in: db),
      changes.count <= limit
    else { return nil }
    return changes
  }

  /// Returns every change since the mark; `nil` where ``changes(limit:in:)`` is, and also if damage
  /// hides them.
  func knownChanges(limit: Int, in db: Database) throws -> [ChangeRecord]? {
    do {
      return try changes(limit: limit, in: db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return nil
    }
  }

  private static func schema(in db: Database) throws -> Int64 {
    try db.number("PRAGMA schema_version") ?? 0
  }
}
