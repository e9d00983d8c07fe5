import GRDB
import GRDBSQLite
import SnippetBase
import SystemPackage

extension UnopenedFile {
  /// Whether an unopened file is behind an error which says that nothing can be written.
  static func isLikely(_ error: DatabaseError, at path: String) -> Bool {
    [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) && FileStatus.isWritable(path)
  }
}

extension SystemFailure {
  /// The results by which SQLite reports a failure of the system.
  private static let results: [ResultCode] = [
    .SQLITE_CANTOPEN, .SQLITE_CORRUPT, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOTADB,
    .SQLITE_READONLY,
  ]

  /// The values of `errno` that explain a failure of SQLite.
  ///
  /// Others are left over from SQLite's probing for optional files.
  private static let codes: Set<Errno> = [
    .diskQuotaExceeded, .fileTooLarge, .ioError, .noMemory, .noSpace, .permissionDenied,
    .readOnlyFileSystem, .tooManyOpenFiles, .tooManyOpenFilesInSystem,
  ]

  /// Calls SQLite.
  ///
  /// - Parameter body: Calls it on this thread, whose `errno` SQLite itself takes for the cause
  ///   (https://www.sqlite.org/c3ref/system_errno.html).
  /// - Returns: What `body` returns.
  /// - Throws: ``SystemFailure`` where an error of the system is behind it, else what `body` throws.
  static func told<Result>(of body: () throws -> Result) throws -> Result {
    errno = 0
    do {
      return try body()
    } catch let error as DatabaseError where results.contains(error.resultCode) {
      let code = Errno(rawValue: errno)
      throw codes.contains(code) ? SystemFailure(error: error, code: code) : error
    }
  }

  /// Calls SQLite on a connection, whose file remembers why it could not be read.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - body: Calls SQLite on this thread.
  /// - Returns: What `body` returns.
  /// - Throws: ``SystemFailure`` where an error of the system is behind it, else what `body` throws.
  static func told<Result>(
    by connection: OpaquePointer?,
    of body: () throws -> Result
  ) throws -> Result {
    do {
      return try told(of: body)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // What the full-text search does after a failure can hide it.
      throw isUnreadable(connection) ? SystemFailure(error: error, code: .ioError) : error
    }
  }

  /// Whether the last failure of the system on the file of a connection, or on its log, was that it
  /// cannot be read.
  static func isUnreadable(_ connection: OpaquePointer?) -> Bool {
    var code: Int32 = 0
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &code)
    if code == EIO { return true }
    var log: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
    guard let log, let methods = log.pointee.pMethods else { return false }
    _ = methods.pointee.xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &code)
    return code == EIO
  }

  /// Writes to a file that is known to be writable.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - body: Calls SQLite on this thread.
  /// - Returns: What `body` returns.
  /// - Throws: ``SystemFailure``, ``UnopenedFile``, or what `body` throws.
  static func told<Result>(
    ofWriting path: String,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try told(of: body)
    } catch let error as DatabaseError where UnopenedFile.isLikely(error, at: path) {
      throw UnopenedFile(error: error)
    }
  }

  /// Opens a file.
  ///
  /// A connection that cannot be opened has been closed before its error is thrown, and its cause is
  /// forgotten with it. So the file is looked at again: where nothing is wrong any more it is opened
  /// again, else the cause is known.
  ///
  /// - Parameters:
  ///   - path: The file, or its URI.
  ///   - canWrite: Whether it is opened for writing.
  ///   - open: Opens it.
  /// - Returns: What `open` returns.
  /// - Throws: ``SystemFailure`` where an error of the system is behind it, else what `open` throws.
  static func told<Result>(
    ofOpening path: String,
    forWriting canWrite: Bool,
    _ open: () throws -> Result
  ) throws -> Result {
    do {
      return try told(of: open)
    } catch let error as DatabaseError where results.contains(error.resultCode) {
      var (result, code) = lookAgain(path, canWrite: canWrite)
      if result == SQLITE_OK { return try told(of: open) }
      // SQLite's last try may have been to read what it could not make.
      if !codes.contains(code), access(path, W_OK) != 0 { code = Errno(rawValue: errno) }
      throw codes.contains(code) ? SystemFailure(error: error, code: code) : error
    }
  }

  private static func lookAgain(_ path: String, canWrite: Bool) -> (result: Int32, code: Errno) {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    let flags = canWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    errno = 0
    var result = sqlite3_open_v2(path, &connection, flags | SQLITE_OPEN_URI, nil)
    if result == SQLITE_OK {
      result = sqlite3_exec(connection, "SELECT count(*) FROM sqlite_schema", nil, nil, nil)
    }
    return (result, Errno(rawValue: errno))
  }
}
