import GRDB
import GRDBSQLite

/// Keeps foreign SQL from doing more than reading, even where it does not write.
///
/// Some of that happens when a statement is prepared: a PRAGMA can change limits of the whole
/// process. COMMIT would end the snapshot. Writing statements are recognised by SQLite itself.
enum QueryAuthorization {
  /// PRAGMAs that take an argument and only report.
  private static let tellingPragmas: Set<String> = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
    "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  /// PRAGMAs that have an effect without an argument.
  private static let actingPragmas: Set<String> = [
    "incremental_vacuum", "optimize", "shrink_memory", "wal_checkpoint",
  ]

  /// Starts to refuse, on a connection that has no other use: this replaces GRDB's authorizer,
  /// which tracks changes.
  static func begin(_ db: Database) {
    sqlite3_set_authorizer(
      db.sqliteConnection,
      { _, action, first, second, _, _ in
        let isAllowed = QueryAuthorization.allows(
          action,
          first.map { String(cString: $0) },
          hasArgument: second != nil
        )
        return isAllowed ? SQLITE_OK : SQLITE_DENY
      },
      nil
    )
  }

  private static func allows(_ action: CInt, _ name: String?, hasArgument: Bool) -> Bool {
    switch action {
    case SQLITE_ATTACH, SQLITE_DETACH, SQLITE_SAVEPOINT, SQLITE_TRANSACTION: return false
    case SQLITE_PRAGMA:
      let name = name?.lowercased() ?? ""
      return hasArgument ? tellingPragmas.contains(name) : !actingPragmas.contains(name)
    default: return true
    }
  }

  /// Allows everything again, so that the snapshot can end.
  static func end(_ db: Database) {
    sqlite3_set_authorizer(db.sqliteConnection, nil, nil)
  }
}
