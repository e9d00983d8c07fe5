import GRDB
import GRDBSQLite

/// Keeps SQL from outside from doing what is no writing and yet more than reading.
///
/// Some of that happens while a statement is only prepared: a PRAGMA can change the limits of the
/// whole process. COMMIT would end the snapshot. What writes is told by the statement itself.
enum QueryAuthorization {
  /// PRAGMAs that take an argument and only tell something.
  private static let tellingPragmas: Set<String> = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
    "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  /// PRAGMAs that do something without an argument.
  private static let actingPragmas: Set<String> = [
    "incremental_vacuum", "optimize", "shrink_memory", "wal_checkpoint",
  ]

  /// Starts to refuse on a connection that is used for nothing else: this takes the place of the
  /// authorizer of GRDB, which follows changes by it.
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

  /// Allows everything again, so that the snapshot can be ended.
  static func end(_ db: Database) {
    sqlite3_set_authorizer(db.sqliteConnection, nil, nil)
  }
}
