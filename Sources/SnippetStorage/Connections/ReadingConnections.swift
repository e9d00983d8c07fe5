import CStorage
import Foundation
import GRDB
import GRDBSQLite
import SnippetBase
import SystemPackage

/// Opens a read-only connection, also where the folder cannot be written or the disk is full.
///
/// A database in WAL mode needs its index file beside it. Where that cannot be made and there is
/// no log, nobody is writing, and the file may be read as one that does not change
/// (https://www.sqlite.org/wal.html#readonly).
///
/// - Throws: ``UnfinishedTransaction`` where the file is half of what somebody has begun to write.
func openForReading(
  _ path: String,
  busyTimeout: Duration,
  prepare: @escaping @Sendable (Database) throws -> Void
) throws -> DatabaseQueue {
  let configuration = readingConfiguration(busyTimeout: busyTimeout, prepare: prepare)
  do {
    return try SystemFailure.told(ofOpening: path, forWriting: false) {
      let connection = try DatabaseQueue(path: path, configuration: configuration)
      _ = try connection.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
      return connection
    }
  } catch let error as DatabaseError
    where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
  {
    throw UnfinishedTransaction()
  } catch let error where isUnwritable(error) {
    guard FileStatus.exists(path), !isInUse(path) else { throw error }
    return try openAsUnchanging(path, configuration)
  }
}

/// Whether somebody has a file open for writing, or has left content beside it.
///
/// On a full disk SQLite makes the log and its index, and finds no room for their content: an index
/// in use has 32 KiB at least (https://www.sqlite.org/walformat.html#the_wal_index_file_format).
private func isInUse(_ path: String) -> Bool {
  ["-wal", "-journal"].contains { FileStatus.byteCount(of: path + $0) > 0 }
    || FileStatus.byteCount(of: path + "-shm") >= 32 << 10
}

/// Whether a failure says that nothing can be written beside a file, and nothing else.
private func isUnwritable(_ error: any Error) -> Bool {
  let results: [ResultCode] = [.SQLITE_CANTOPEN, .SQLITE_READONLY]
  return switch error {
  case let error as DatabaseError: results.contains(error.resultCode)
  case let failure as SystemFailure:
    switch failure.code {
    case .noSpace, .diskQuotaExceeded: true
    case .permissionDenied, .readOnlyFileSystem: results.contains(failure.error.resultCode)
    default: false
    }
  default: false
  }
}

/// Opens a read-only connection to a file as it is, with half of a transaction if that is there.
///
/// Only to look whose it is: it is of no use for anything that was saved.
func openAsItIs(_ path: String) throws -> DatabaseQueue {
  try openAsUnchanging(path, readingConfiguration(busyTimeout: .zero) { _ in })
}

private func readingConfiguration(
  busyTimeout: Duration,
  prepare: @escaping @Sendable (Database) throws -> Void
) -> GRDB.Configuration {
  var configuration = GRDB.Configuration()
  configuration.readonly = true
  configuration.busyMode = .timeout(busyTimeout.seconds)
  configuration.prepareDatabase(prepare)
  return configuration
}

private func openAsUnchanging(
  _ path: String,
  _ configuration: GRDB.Configuration
) throws -> DatabaseQueue {
  var components = URLComponents()
  components.path = path
  let uri = "file:\(components.percentEncodedPath)?immutable=1"
  return try SystemFailure.told(ofOpening: uri, forWriting: false) {
    try DatabaseQueue(path: uri, configuration: configuration)
  }
}

/// Opens a connection that could write and never does, so that a check on it sees the CHECK rules.
///
/// What another program has left unfinished is rolled back.
///
/// - Parameters:
///   - path: The file.
///   - keepsLog: Whether a log stays as it is when this is the last connection to be closed, which
///     otherwise folds it into the file.
///   - busyTimeout: How long to wait for a lock.
///   - prepare: What else to set.
/// - Returns: The connection.
/// - Throws: What SQLite says.
func openForChecking(
  _ path: String,
  keepingLog keepsLog: Bool = false,
  busyTimeout: Duration,
  prepare: @escaping @Sendable (Database) throws -> Void
) throws -> DatabaseQueue {
  var configuration = GRDB.Configuration()
  configuration.busyMode = .timeout(busyTimeout.seconds)
  configuration.prepareDatabase { db in
    try prepare(db)
    if keepsLog {
      let result = snippet_keep_log(db.sqliteConnection)
      guard result == SQLITE_OK else {
        throw DatabaseError(resultCode: ResultCode(rawValue: result))
      }
    }
    try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    try db.execute(sql: "PRAGMA query_only = ON")
  }
  return try SystemFailure.told(ofOpening: path, forWriting: true) {
    try DatabaseQueue(path: path, configuration: configuration)
  }
}
