import GRDB

/// Used by `snip purge`, which recognizes a replication that holds the log by its table.
extension SnippetStore {
  /// The names of all tables in the file, including those of other programs, oldest first.
  package func tableNames() throws(SnippetStoreError) -> [String] {
    try connections.read(.rows, to: "list the tables") { db in
      try db.values("SELECT name FROM sqlite_schema WHERE type = 'table'") { try $0.text(0) }
    }
  }
}
