import CStorage
import Foundation
import GRDB
import GRDBSQLite
import SnippetBase
import SystemPackage

/// Opens a read-only connection, even if the folder is read-only or the disk is full.
///
/// A database in WAL mode needs an index file beside it. If that cannot be made and there is no
/// log, no other program is writing, and the file can be read as one that does not change
/// (https://www.sqlite.org/wal.html#readonly).
///
/// Throws ``UnfinishedTransaction`` if the file holds half of a transaction.
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
  } catch let error where isUnfinished(error) {
    throw UnfinishedTransaction()
  } catch let error where isUnwritable(error) {
    guard FileStatus.exists(path), !isInUse(path) else { throw error }
    return try openAsUnchanging(path, configuration)
  }
}

/// Whether an error means that only a connection that can write could read the file.
private func isUnfinished(_ error: any Error) -> Bool {
  // Where the file cannot be written, the system's error is named too.
  let error = (error as? SystemFailure)?.error ?? error as? DatabaseError
  return error?.extendedResultCode == .SQLITE_READONLY_ROLLBACK
}

/// Whether another program has the file open for writing, or left content beside it.
///
/// On a full disk SQLite makes the log and its index, and finds no room for their content. An index
/// in use has at least 32 KiB (https://www.sqlite.org/walformat.html#the_wal_index_file_format).
private func isInUse(_ path: String) -> Bool {
  OutputPlace.replayedSuffixes.contains { FileStatus.byteCount(of: path + $0) > 0 }
    || FileStatus.byteCount(of: path + "-shm") >= 32 << 10
}

/// Whether an error means that nothing can be written beside a file, and nothing worse.
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

/// Opens a read-only connection to a file as it is, even with half of a transaction.
///
/// Use it only to find out whose file it is; the content is not reliable.
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

/// Returns the path of a file with a setting for opening it
/// (https://www.sqlite.org/uri.html).
func uri(of path: String, _ setting: String) -> String {
  var components = URLComponents()
  components.path = path
  return "file:\(components.percentEncodedPath)?\(setting)"
}

private func openAsUnchanging(
  _ path: String,
  _ configuration: GRDB.Configuration
) throws -> DatabaseQueue {
  let uri = uri(of: path, "immutable=1")
  return try SystemFailure.told(ofOpening: uri, forWriting: false) {
    try DatabaseQueue(path: uri, configuration: configuration)
  }
}

/// Opens a connection that could write but never does, so that a check sees the CHECK rules.
///
/// An unfinished transaction of another program is rolled back. If this is the last connection to
/// be closed, it copies the log into the file unless it `keepsLog`.
func openForChecking(
  _ path: String,
  keepingLog keepsLog: Bool = false,
  busyTimeout: Duration,
  prepare: @escaping @Sendable (Database) throws -> Void
) throws -> DatabaseQueue {
  try openExisting(path, busyTimeout: busyTimeout) { db in
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
}

/// Opens a connection that can write to a file; if the file is gone, SQLite does not make another.
func openExisting(
  _ path: String,
  busyTimeout: Duration,
  prepare: @escaping @Sendable (Database) throws -> Void
) throws -> DatabaseQueue {
  var configuration = GRDB.Configuration()
  configuration.busyMode = .timeout(busyTimeout.seconds)
  configuration.prepareDatabase(prepare)
  return try SystemFailure.told(ofOpening: path, forWriting: true) {
    try DatabaseQueue(path: uri(of: path, "mode=rw"), configuration: configuration)
  }
}
