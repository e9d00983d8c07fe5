import Foundation
import GRDB

/// Deletes the content of the trash for good, in steps.
struct TrashEmptying {
  /// The date before which a snippet must have been moved to the trash; `nil` for all.
  let date: Date?
  private(set) var count = 0

  init(before date: Date?) {
    self.date = date
  }

  /// Continues until the time of the step is up, and returns whether everything is deleted.
  mutating func advance(in db: Database, until isOver: () -> Bool) throws -> Bool {
    let next = """
      SELECT id FROM snippet INDEXED BY snippet_trash_by_deleted
      WHERE deleted_at IS NOT NULL AND deleted_at < ? ORDER BY deleted_at, id LIMIT 64
      """
    let deletion = try db.cachedStatement(sql: "DELETE FROM snippet WHERE id = ?")
    let end = date?.milliseconds ?? .max
    while true {
      let ids = try db.numbers(next, [end.databaseValue])
      guard !ids.isEmpty else { return true }
      for id in ids {
        guard !isOver() else { return false }
        try deletion.execute(arguments: [id])
        // Otherwise it would be found again forever.
        guard db.changesCount > 0 else {
          throw DatabaseError.damage("snippet \(id) is in an index, and nowhere else")
        }
        count += 1
      }
    }
  }
}
