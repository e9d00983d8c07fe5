import Foundation
import GRDB
import Migrations
import SnippetBase

/// The tables, indexes, triggers and views of a file, word for word.
struct StoreSchema {
  /// One of them.
  struct Entry: Hashable {
    var type: String
    var name: String
    /// The table or view that it belongs to; its own name for a table and a view.
    var table: String
    /// How it was made; empty where SQLite chooses the words.
    var sql: String

    /// What it is, as a sentence names it.
    var sentence: String { "\(type) \(name)" }
    /// Whether SQLite makes and drops it with its table.
    var isMadeWithItsTable: Bool { type == "index" && sql.isEmpty }
  }

  let entries: [Entry]

  /// Reads the schema of a file.
  init(_ db: Database) throws {
    var entries: [Entry] = []
    var statement = try SteppedStatement(Self.query, in: db)
    while let row = try statement.next() {
      try entries.append(
        Entry(type: row.text(0), name: row.text(1), table: row.text(2), sql: row.text(3))
      )
    }
    self.entries = entries
  }

  /// All that makes a schema, in an order that does not depend on how the file came about.
  ///
  /// The words of the tables with which FTS5 keeps the index are SQLite's own, and those of another
  /// version may differ. In a damaged file any column can hold anything.
  private static let query = """
    SELECT coalesce(CAST(type AS TEXT), ''), coalesce(CAST(name AS TEXT), ''),
      coalesce(CAST(tbl_name AS TEXT), ''),
      CASE WHEN name LIKE 'search\\_index\\__%' ESCAPE '\\' THEN ''
        ELSE coalesce(CAST(sql AS TEXT), '') END
    FROM sqlite_schema ORDER BY type, name
    """

  // MARK: - What it should be

  /// The SHA-256 of all of it, in hexadecimal digits.
  ///
  /// Read without an object for each row, since every opening of a store does it.
  static func digest(of db: Database) throws -> String {
    var hash = ContentHash()
    var statement = try SteppedStatement(query, in: db)
    while let row = try statement.next() {
      for column in Int32(0)..<4 {
        try row.withText(column) { text in
          withUnsafeBytes(of: UInt32(truncatingIfNeeded: text.count).littleEndian) {
            hash.update($0)
          }
          hash.update(UnsafeRawBufferPointer(text))
        }
      }
    }
    return hash.finish().hexadecimal
  }

  /// The version whose steps make exactly the schema of a file; `nil` if none does.
  static func version(of db: Database) throws -> Int? {
    let digest = try digest(of: db)
    return Migrations.all.first { $0.schemaDigest == digest }?.version
  }

  /// What the steps up to a version make.
  ///
  /// Making it takes some milliseconds, so it is kept.
  static func expected(version: Int) throws -> StoreSchema {
    if let known = made.withLock({ $0[version] }) { return known }
    let connection = try DatabaseQueue()
    try MigrationRunner(
      operation: "make the schema",
      migrations: Migrations.all.filter { $0.version <= version }
    ).run(on: connection)
    let schema = try connection.read { try StoreSchema($0) }
    try connection.close()
    made.withLock { $0[version] = schema }
    return schema
  }

  private static let made = Lock<[Int: StoreSchema]>([:])
}
