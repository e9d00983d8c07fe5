import GRDB

@testable import SnippetStorage

extension SnippetStore {
  /// The rows that SQL gives, read on a connection of the store.
  func rows(of sql: String) throws -> [Row] {
    try connections.read(.scans, to: "look") { db in try Row.fetchAll(db, sql: sql) }
  }
}
