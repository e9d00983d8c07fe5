import GRDB

/// The durability of the commits of a connection.
enum Durability {
  /// Commits wait for the disk, so they survive power loss.
  case full
  /// Commits do not wait; faster, for a store that is thrown away.
  case none

  /// Applies this to a connection.
  func apply(to db: Database) throws {
    switch self {
    case .full:
      // With EXTRA a commit survives power loss, and so does the removal of the journal used for
      // switching the file to WAL (https://www.sqlite.org/pragma.html#pragma_synchronous).
      try db.execute(sql: "PRAGMA synchronous = EXTRA")
      try db.execute(sql: "PRAGMA fullfsync = ON")
      try db.execute(sql: "PRAGMA checkpoint_fullfsync = ON")
    case .none:
      try db.execute(sql: "PRAGMA synchronous = OFF")
    }
  }
}
