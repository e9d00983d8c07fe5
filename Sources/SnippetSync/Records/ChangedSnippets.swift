import Foundation
import GRDB
import SnippetStorage

/// The snippets that may have changed since their entries were captured or merged.
enum ChangedSnippets {
  /// Finds the number of the last recorded change.
  static func lastChange(in db: Database) throws -> Int64 {
    try db.number("SELECT seq FROM sqlite_sequence WHERE name = 'change'") ?? 0
  }

  /// Finds the snippets of the changes after a number; `nil` if they are too many, or the record no
  /// longer has all of them.
  static func recorded(
    after number: Int64,
    upTo last: Int64,
    limit: Int,
    in db: Database
  ) throws -> [Int64]? {
    guard number >= 0, last >= 0, (0...Int64(limit)).contains(last - number) else { return nil }
    let range = [number.databaseValue, last.databaseValue]
    let count = try db.number(
      "SELECT count(*) FROM change WHERE number > ? AND number <= ?",
      range
    )
    guard count == last - number else { return nil }
    return try db.numbers(
      """
      SELECT DISTINCT snippet_id FROM change WHERE number > ? AND number <= ? ORDER BY snippet_id
      """,
      range
    )
  }

  /// Finds the snippets after an id whose revisions are not those of their entries.
  ///
  /// - Complexity: O(*n*) until none is left; a million rows take about a second.
  static func differing(after id: Int64, limit: Int, in db: Database) throws -> [Int64] {
    try db.numbers(
      """
      SELECT id FROM snippet LEFT JOIN sync_row ON snippet_id = id
      WHERE id > ? AND sync_row.revision IS NOT snippet.revision
      ORDER BY id LIMIT ?
      """,
      [id.databaseValue, limit.databaseValue]
    )
  }

  /// Finds the snippets after an id that have an entry and are gone.
  static func gone(after id: Int64, limit: Int, in db: Database) throws -> [Int64] {
    try db.numbers(
      """
      SELECT snippet_id FROM sync_row
      WHERE snippet_id > ? AND NOT EXISTS (SELECT 1 FROM snippet WHERE id = snippet_id)
      ORDER BY snippet_id LIMIT ?
      """,
      [id.databaseValue, limit.databaseValue]
    )
  }
}
