import GRDB

/// What a connection that writes waits for.
enum Durability {
  /// For the disk: what was acknowledged is safe when the power fails.
  case full
  /// For nothing: a store that is thrown away is quicker to make.
  case none

  /// Sets a connection up.
  func apply(to db: Database) throws {
    switch self {
    case .full:
      // EXTRA: a commit survives power loss, and so does the removal of the journal with which the
      // file is switched to WAL (https://www.sqlite.org/pragma.html#pragma_synchronous).
      try db.execute(sql: "PRAGMA synchronous = EXTRA")
      try db.execute(sql: "PRAGMA fullfsync = ON")
      try db.execute(sql: "PRAGMA checkpoint_fullfsync = ON")
    case .none:
      try db.execute(sql: "PRAGMA synchronous = OFF")
    }
  }
}
