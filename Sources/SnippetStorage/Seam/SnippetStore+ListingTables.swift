import GRDB

/// Used by `snip purge`, which tells a replication that holds the log by the table that it keeps.
extension SnippetStore {
  /// The names of all tables in the file, also of those of other programs.
  ///
  /// - Returns: The names, in the order in which the tables were made.
  /// - Throws: ``SnippetStoreError``.
  package func tableNames() throws(SnippetStoreError) -> [String] {
    try connections.read(.rows, to: "list the tables") { db in
      try db.values("SELECT name FROM sqlite_schema WHERE type = 'table'") { try $0.text(0) }
    }
  }
}
