import GRDB

@testable import SnippetStorage

extension SnippetStore {
  /// Runs SQL as a program does that puts every trigger aside before and back afterwards.
  func runWithoutTriggers(_ sql: String) throws {
    try connections.writer(for: "test").writeWithoutTransaction { db in
      let triggers = try Row.fetchAll(
        db,
        sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
      )
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger[0] as String)") }
      try db.execute(sql: sql)
      for trigger in triggers { try db.execute(sql: trigger[1] as String) }
      try db.execute(sql: "PRAGMA foreign_keys = ON")
    }
  }
}
