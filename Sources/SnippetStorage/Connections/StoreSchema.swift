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
    /// The table or view that it belongs to; for a table or view, its own name.
    var table: String
    /// Its SQL; empty if SQLite chooses the words.
    var sql: String

    /// Its description for a sentence.
    var sentence: String { "\(type) \(name)" }
    /// Whether SQLite makes and drops it together with its table.
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

  /// Selects everything that makes up a schema, in an order independent of the history of the file.
  ///
  /// The SQL of FTS5's own tables is left out because it may differ between versions of SQLite. In
  /// a damaged file any column can hold anything.
  private static let query = """
    SELECT coalesce(CAST(type AS TEXT), ''), coalesce(CAST(name AS TEXT), ''),
      coalesce(CAST(tbl_name AS TEXT), ''),
      CASE WHEN name LIKE 'search\\_index\\__%' ESCAPE '\\' THEN ''
        ELSE coalesce(CAST(sql AS TEXT), '') END
    FROM sqlite_schema ORDER BY type, name
    """

  // MARK: - The expected schema

  /// Returns the SHA-256 of the whole schema, in hexadecimal digits.
  ///
  /// It makes no object for each row, because every opening of a store needs it.
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

  /// Returns the version whose migrations make exactly this schema; `nil` if none does.
  static func version(of db: Database) throws -> Int? {
    let digest = try digest(of: db)
    return Migrations.all.first { $0.schemaDigest == digest }?.version
  }

  /// Returns the schema that the migrations up to a version make.
  ///
  /// Making it takes some milliseconds, so it is cached.
  static func expected(version: Int) throws -> StoreSchema {
    if let known = made.withLock({ $0[version] }) { return known }
    let connection = try DatabaseQueue()
    let schema = try connection.write { db in
      for migration in Migrations.all where migration.version <= version {
        try db.execute(sql: migration.sql)
      }
      return try StoreSchema(db)
    }
    try connection.close()
    made.withLock { $0[version] = schema }
    return schema
  }

  /// Returns the names of the tables that a file has of this schema, in order.
  ///
  /// Other programs keep tables of their own beside them.
  static func ownTables(in db: Database) throws -> [String] {
    let own = Set(try expected(version: Migrations.latestVersion).entries.map(\.name))
    let tables = try String.fetchAll(
      db,
      sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    )
    return tables.filter(own.contains)
  }

  private static let made = Lock<[Int: StoreSchema]>([:])
}
