import CStorage
import GRDB
import GRDBSQLite
import SnippetBase
import SystemPackage

extension UnopenedFile {
  /// Whether an unopened file is behind an error which says that nothing can be written.
  static func isLikely(_ error: DatabaseError, at path: String) -> Bool {
    [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
      && (FileStatus.isWritable(path) || FileStatus.protection(of: path) != nil)
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

  /// The results of operations that read a file, or look at it.
  private static let resultsOfReading: [ResultCode] = [
    .SQLITE_IOERR_ACCESS, .SQLITE_IOERR_CORRUPTFS, .SQLITE_IOERR_FSTAT, .SQLITE_IOERR_MMAP,
    .SQLITE_IOERR_READ,
  ]

  /// Whether an operation failed that would have changed nothing.
  var isOfReading: Bool { Self.resultsOfReading.contains(error.extendedResultCode) }

  /// Calls SQLite on this thread, and throws ``SystemFailure`` if an error of the system is the
  /// cause of its error.
  ///
  /// SQLite itself takes `errno` for the cause (https://www.sqlite.org/c3ref/system_errno.html).
  /// Where it could not make a file beside the database, the cause is that of the making: a disk
  /// that has no room for another file may have room for bytes.
  static func told<Result>(of body: () throws -> Result) throws -> Result {
    errno = 0
    _ = snippet_take_refused_creation()
    do {
      return try body()
    } catch let error as DatabaseError where results.contains(error.resultCode) {
      let code = Errno(rawValue: errno)
      if isCause(code, of: error) { throw SystemFailure(error: error, code: code) }
      let refusal = Errno(rawValue: snippet_take_refused_creation())
      if error.resultCode == .SQLITE_CANTOPEN, [.noSpace, .diskQuotaExceeded].contains(refusal) {
        throw SystemFailure(error: error, code: refusal)
      }
      throw error
    }
  }

  private static func isCause(_ code: Errno, of error: DatabaseError) -> Bool {
    // The file ended too early, and no call failed: the number is of an earlier one.
    if error.extendedResultCode == .SQLITE_IOERR_SHORT_READ { return false }
    // Of an operation that is forbidden; SQLite calls each failed one an error of the disk.
    if code == .notPermitted { return error.resultCode == .SQLITE_IOERR }
    return codes.contains(code)
  }

  /// Calls SQLite as ``told(of:)`` does, on a connection whose file remembers why it could not be
  /// read.
  static func told<Result>(
    by connection: OpaquePointer?,
    of body: () throws -> Result
  ) throws -> Result {
    do {
      return try told(of: body)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // The cleanup of the full-text search after an error can hide its cause.
      throw isUnreadable(connection) ? SystemFailure(error: error, code: .ioError) : error
    }
  }

  /// Whether the last system error on the file of a connection, or on its log, was a read error.
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

  /// Writes to a file that is known to be writable; throws ``UnopenedFile`` if it was opened for
  /// reading.
  static func told<Result>(
    ofWriting path: String,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try told(of: body)
    } catch let error as DatabaseError where UnopenedFile.isLikely(error, at: path) {
      throw UnopenedFile(error: error, path: path)
    }
  }

  /// Opens a file or its URI, and keeps the locks of the file: no other `close` drops them.
  ///
  /// If opening fails, the connection is closed before its error is thrown, and the cause is lost
  /// with it. So the file is tried again: either that succeeds and it is opened once more, or the
  /// cause is found.
  static func told<Result>(
    ofOpening path: String,
    forWriting canWrite: Bool,
    _ open: () throws -> Result
  ) throws -> Result {
    // Here, because every connection is opened through this. A URI is that of a file which does not
    // change; SQLite looks at nothing beside it.
    if !path.hasPrefix("file:") { try IrregularCompanion.requireNone(beside: path) }
    snippet_allocate_index_pages()
    let kept = snippet_begin_keeping_locks(path)
    defer { snippet_end_keeping_locks(kept) }
    do {
      return try told(of: open)
    } catch let error as DatabaseError where results.contains(error.resultCode) {
      var (result, code) = lookAgain(path, canWrite: canWrite)
      if result == SQLITE_OK { return try told(of: open) }
      // SQLite may have fallen back to reading a file that it could not create.
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
