import Foundation
import GRDB

@testable import SnippetStorage

extension FuzzTarget {
  /// Reads the record of changes of a damaged file, and what it says of the snippets.
  ///
  /// A row has twelve columns, each of any type; the first byte says where to read again.
  static let changeRecord = FuzzTarget("change-record") { bytes in
    var input = FuzzBytes(bytes)
    let start = Int(input.byte() % 8)
    let rows = rows(&input)

    let (records, later) = try damagedRecord.writeWithoutTransaction { db in
      var records: [ChangeRecord]?
      var later: [Int64]?
      try db.inTransaction {
        try insert(rows, db)
        do {
          records = try ChangeRecord.changes(after: 0, limit: 16, in: db)
          later = try ChangeRecord.changes(after: Int64(start), limit: 16, in: db)?.map(\.number)
        } catch let error as DatabaseError {
          try require(error.resultCode == .SQLITE_CORRUPT, "only damage is told: \(error)")
        }
        return .rollback
      }
      return (records, later)
    }
    guard let records else { return }
    try require(records.map(\.number) == records.indices.map { Int64($0) + 1 }, "no gap is hidden")
    _ = records.map(RecordedChange.init)
    if start <= records.count {
      try require(later == records.dropFirst(start).map(\.number), "a later start skips no change")
    } else {
      try require(later == nil, "what is not recorded yet cannot be followed")
    }
  }

  private static func rows(_ input: inout FuzzBytes) -> [[DatabaseValue]] {
    var rows: [[DatabaseValue]] = []
    while !input.isEmpty, rows.count < 12 {
      // Most rows are sound but for the number, the snippet and the event.
      let isWild = input.byte() & 3 == 3
      var row: [DatabaseValue] = [
        Int64(rows.count + 1).databaseValue, Int64(input.byte() % 4).databaseValue,
        Int64(input.byte() % 6).databaseValue, "tag".databaseValue,
      ]
      row += (0..<4).map { _ in 1.databaseValue } + ["title".databaseValue, 9.databaseValue]
      let flags = input.byte()
      row.append(flags & 1 == 0 ? .null : 5.databaseValue)
      row.append(Int64(flags >> 1 & 1).databaseValue)
      if isWild { row[Int(input.byte()) % row.count] = value(&input) }
      rows.append(row)
    }
    return rows
  }

  private static func value(_ input: inout FuzzBytes) -> DatabaseValue {
    switch input.byte() % 6 {
    case 0: .null
    case 1: Int64(input.byte()).databaseValue
    case 2: Int64(bitPattern: input.number()).databaseValue
    case 3: 1.5.databaseValue
    case 4: input.line().databaseValue
    default: Data(input.line().utf8).databaseValue
    }
  }

  private static func insert(_ rows: [[DatabaseValue]], _ db: Database) throws {
    for row in rows {
      try db.execute(
        sql: "INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: StatementArguments(row)
      )
    }
    try db.execute(
      sql: "INSERT INTO sqlite_sequence VALUES ('change', ?)",
      arguments: [rows.count]
    )
  }

  /// The table as it may be read from a file with wrong bytes: nothing is checked.
  private static let damagedRecord: DatabaseQueue = {
    let columns = """
      number, snippet_id, event, tag, kind, pinned, created_at, modified_at, title, byte_count,
      deleted_at, in_trash
      """
    // The other one is there for sqlite_sequence.
    let schema = """
      CREATE TABLE change (\(columns));
      CREATE TABLE other (id INTEGER PRIMARY KEY AUTOINCREMENT)
      """
    guard let queue = try? DatabaseQueue(),
      (try? queue.write { try $0.execute(sql: schema) }) != nil
    else { preconditionFailure("the record cannot be made in memory") }
    return queue
  }()
}
