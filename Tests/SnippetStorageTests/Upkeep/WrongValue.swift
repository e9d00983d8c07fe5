import Foundation
import GRDB

/// A value where the schema allows none such: what a bit that turns over in the header of a row, or
/// somebody who alters the schema, can put there.
struct WrongValue: Sendable, CustomStringConvertible {
  var table: String
  var column: String
  /// The value as SQL writes it.
  var value: String

  var description: String { "\(table).\(column) = \(value)" }

  /// One of every type, and the ends of what numbers there are.
  static let values = [
    "NULL", "'text'", "''", "x'00FF'", "x''", "1.5", "-9e999", "9223372036854775807",
    "-9223372036854775807 - 1", "-1", "0", "1 << 53",
  ]

  /// Every value in every column of every table in a file.
  static func all(in file: URL) throws -> [WrongValue] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      let columns = try Row.fetchAll(
        db,
        sql: """
          SELECT tables.name AS "table", columns.name AS "column"
          FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
          WHERE tables.type = 'table' AND tables.sql NOT LIKE 'CREATE VIRTUAL%'
          """
      )
      return columns.flatMap { row in
        values.map { WrongValue(table: row["table"], column: row["column"], value: $0) }
      }
    }
  }

  /// Writes the value into every row of a file that nobody has open, or into one where no two may
  /// be alike.
  ///
  /// - Returns: Whether it can be stored at all: a row has no number but a whole one.
  func write(to file: URL) throws -> Bool {
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      let schema = try Row.fetchAll(
        db,
        sql: "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE type = 'trigger'"
      )
      let sql = try String.fetchOne(
        db,
        sql: "SELECT sql FROM sqlite_schema WHERE name = ?",
        arguments: [table]
      )
      try db.execute(
        sql: """
          PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON;
          DELETE FROM sqlite_schema WHERE type = 'trigger'
          """
      )
      try setSQL(Self.loosened(sql ?? ""), in: db)
      try db.execute(sql: "PRAGMA writable_schema = RESET")
      let isStored = try store(in: db)
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try setSQL(sql ?? "", in: db)
      for row in schema {
        try db.execute(
          sql: "INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)",
          arguments: StatementArguments(row.databaseValues)
        )
      }
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      return isStored
    }
  }

  private func setSQL(_ sql: String, in db: Database) throws {
    try db.execute(
      sql: "UPDATE sqlite_schema SET sql = ? WHERE name = ? AND name NOT LIKE 'sqlite_%'",
      arguments: [sql, table]
    )
  }

  private func store(in db: Database) throws -> Bool {
    for rows in ["", " WHERE \(column) = (SELECT max(\(column)) FROM \(table))"] {
      do {
        try db.execute(sql: "UPDATE \(table) SET \(column) = \(value)\(rows)")
        return db.changesCount > 0
      } catch let error as DatabaseError
        where [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode)
      {}
    }
    return false
  }

  /// The table with columns that take any value as it is.
  private static func loosened(_ sql: String) -> String {
    var sql = sql
    for (part, other) in [
      (") STRICT", ")"), (", WITHOUT ROWID", " WITHOUT ROWID"), ("INTEGER PRIMARY KEY", "§"),
      (" INTEGER", " BLOB"), (" TEXT", " BLOB"), (" BLOB NOT NULL", " BLOB"),
      ("§", "INTEGER PRIMARY KEY"),
    ] as [(String, String)] {
      sql = sql.replacing(part, with: other)
    }
    return sql
  }
}
