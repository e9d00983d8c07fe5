package import GRDB

/// The range of numbers for rows.
package enum NumberSpace {
  /// The highest id or change number that leaves enough for the future.
  ///
  /// No program reaches it, but the shell can write it into `sqlite_sequence`.
  package static let highestID: Int64 = 1 << 52
  /// The highest id of a blob, which leaves room for the numbers of chunks.
  package static let highestBlobID: Int64 = 1 << 42

  /// Returns a table that has run out of numbers; `nil` if there is none.
  static func exhaustedTable(in db: Database) throws -> String? {
    try String.fetchOne(
      db,
      sql: """
        WITH given (name, number) AS (
          SELECT name, seq FROM sqlite_sequence WHERE typeof(seq) = 'integer'
          UNION ALL SELECT 'tag', max(id) FROM tag
          UNION ALL SELECT 'derivative', max(id) FROM derivative
        )
        SELECT name FROM given
        WHERE number >= CASE name WHEN 'blob' THEN 8796093022207 ELSE 9007199254740991 END
        """
    )
  }

  /// Makes a store continue after numbers that were used, so that no number ever finds something
  /// else.
  package static func goOn(from numbers: [(table: String, number: Int64)], in db: Database) throws {
    for (table, number) in numbers {
      try db.execute(
        sql: "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1",
        arguments: [table, number]
      )
      if db.changesCount > 0 { continue }
      try db.execute(
        sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
        arguments: [table, number]
      )
    }
  }
}
