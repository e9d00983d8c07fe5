import GRDB

@testable import SnippetStorage

extension SnippetStore {
  /// The rows that SQL gives, read on a connection of the store.
  func rows(of sql: String) throws -> [Row] {
    try connections.read(.scans, to: "look") { db in try Row.fetchAll(db, sql: sql) }
  }

  /// The number of rows in a table or a view.
  func rowCount(of table: String) throws -> Int64 {
    try connections.read(.scans, to: "count") { db in
      try Int64.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? -1
    }
  }
}
