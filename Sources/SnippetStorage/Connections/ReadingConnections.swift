import Foundation
import GRDB
import SnippetBase
import SystemPackage

/// Opens a read-only connection, also where the folder cannot be written.
///
/// A database in WAL mode needs its index file beside it. Where that cannot be made and there is
/// no log, nobody is writing, and the file may be read as one that does not change
/// (https://www.sqlite.org/wal.html#readonly).
func openForReading(
  _ path: String,
  busyTimeout: Duration,
  prepare: @escaping @Sendable (Database) throws -> Void
) throws -> DatabaseQueue {
  var configuration = GRDB.Configuration()
  configuration.readonly = true
  configuration.busyMode = .timeout(busyTimeout.seconds)
  configuration.prepareDatabase(prepare)
  do {
    let connection = try DatabaseQueue(path: path, configuration: configuration)
    _ = try connection.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    return connection
  } catch let error as DatabaseError
    where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
  {
    guard (try? Stat(path)) != nil, (try? Stat(path + "-wal")) == nil else { throw error }
    var components = URLComponents()
    components.path = path
    let uri = "file:\(components.percentEncodedPath)?immutable=1"
    return try DatabaseQueue(path: uri, configuration: configuration)
  }
}

/// Opens a connection that could write and never does, so that a check on it sees the CHECK rules.
func openForChecking(
  _ path: String,
  busyTimeout: Duration,
  prepare: @escaping @Sendable (Database) throws -> Void
) throws -> DatabaseQueue {
  var configuration = GRDB.Configuration()
  configuration.busyMode = .timeout(busyTimeout.seconds)
  configuration.prepareDatabase { db in
    try prepare(db)
    try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    try db.execute(sql: "PRAGMA query_only = ON")
  }
  return try DatabaseQueue(path: path, configuration: configuration)
}
