import GRDB

/// A reference to a row that does not exist.
struct BrokenReference {
  /// The table of the reference.
  let table: String
  /// The row of the reference; `nil` in a table whose rows have no numbers.
  let row: Int64?
  /// The table that lacks the row.
  let parent: String

  /// Finds the broken references of the store's own tables.
  ///
  /// SQLite cannot check a reference to columns without a unique index, and then refuses to check
  /// the whole file. Only another program's table can have one.
  static func all(in db: Database) throws -> [BrokenReference] {
    try StoreSchema.ownTables(in: db).flatMap { table in
      try db.values(
        "SELECT * FROM pragma_foreign_key_check(?)",
        [table.databaseValue]
      ) { row in
        BrokenReference(
          table: try row.text(0),
          row: try row.optionalNumber(1),
          parent: try row.text(2)
        )
      }
    }
  }
}
