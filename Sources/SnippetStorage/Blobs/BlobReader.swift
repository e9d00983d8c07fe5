import CStorage
import GRDB
import GRDBSQLite
import SnippetBase

/// A connection of the store's own that reads blobs and nothing else.
///
/// SQLite's own functions, because what stands between them and a caller takes longer than to read
/// a small blob: a file of 10 kB is read in five microseconds, and a hop to a queue and back takes
/// more.
//
// Unchecked, because it is used only under the lock of the `BlobReaders` that made it.
final class BlobReader: BlobConnection, @unchecked Sendable {
  let handle: OpaquePointer
  /// By the number of the question.
  private var statements: [OpaquePointer?] = BlobQuestion.allCases.map { _ in nil }
  private let mappedByteCount: Int64
  /// How many more mapped bytes may be touched before the total is checked.
  private var remainingByteCount = 0

  /// The most mapped memory kept when nothing else sets a limit.
  ///
  /// The system counts every page of a mapped file that was touched as memory of the process.
  private static let maximumResidentByteCount: Int64 = 8 << 20
  /// With a page the system maps those around it that are in memory.
  private static let neighbourByteCount = 64 << 10

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - path: The file, or its URI.
  ///   - busyTimeout: How long to wait for a lock.
  ///   - maps: Whether the file is read through mapped memory.
  /// - Throws: What SQLite says.
  init(path: String, busyTimeout: Duration, maps: Bool) throws {
    // The most that SQLite maps by default is 2 GiB; more is cut to that.
    mappedByteCount = maps ? 2_147_418_112 : 0
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    if path.hasPrefix("file:") { flags |= SQLITE_OPEN_URI }
    let result = sqlite3_open_v2(path, &opened, flags, maps ? snippet_read_ahead_vfs() : nil)
    guard result == SQLITE_OK, let opened else {
      // What could not be opened has to be closed all the same.
      sqlite3_close(opened)
      throw DatabaseError(resultCode: ResultCode(rawValue: result))
    }
    handle = opened
    let hardened = snippet_harden(opened)
    guard hardened == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: hardened))
    }
    sqlite3_busy_timeout(opened, Int32(clamping: Int64(busyTimeout.seconds * 1000)))
    // Not cell_size_check: of mapped pages SQLite keeps nothing, and would look at every cell of a
    // page again with each read, which among 20,000 blobs takes half of the time that a small one
    // needs. What is read is held against its size, and a check reads all on a connection that has
    // it.
    try run("PRAGMA foreign_keys = ON")
    // Checkpoints are ours alone, see `Checkpointer`.
    try run("PRAGMA wal_autocheckpoint = 0")
    try run("PRAGMA mmap_size = \(mappedByteCount)")
    // Mapped pages need none of it, and of those beyond 2 GiB only the way to a blob is read again.
    if maps { try run("PRAGMA cache_size = -256") }
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  func statement(for question: BlobQuestion) throws -> SteppedStatement {
    if let statement = statements[question.rawValue] { return SteppedStatement(kept: statement) }
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v3(
      handle,
      question.sql,
      -1,
      UInt32(SQLITE_PREPARE_PERSISTENT),
      &statement,
      nil
    )
    guard result == SQLITE_OK, let statement else { throw error(result) }
    statements[question.rawValue] = statement
    return SteppedStatement(kept: statement)
  }

  func didRead(byteCount: Int) {
    remainingByteCount -= byteCount + Self.neighbourByteCount
  }

  /// Unmaps pages once there are many.
  ///
  /// To map 10 MB anew takes longer than to copy them twice, so more of them are kept where they
  /// are read again and again, if that is known.
  ///
  /// To be called between two reads: SQLite maps nothing anew while a page is in use.
  func releasePagesIfMany() {
    guard mappedByteCount > 0, remainingByteCount < 0 else { return }
    var byteCount = Self.maximumResidentByteCount
    let operation = Int32(snippet_read_ahead_release)
    if sqlite3_file_control(handle, "main", operation, &byteCount) != SQLITE_OK { mapAnew() }
    remainingByteCount = Int(byteCount)
  }

  private func mapAnew() {
    for byteCount in [0, mappedByteCount] {
      var byteCount = byteCount
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_MMAP_SIZE, &byteCount)
    }
  }

  private func run(_ sql: String) throws {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw error(result) }
  }

  private func error(_ result: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: result),
      message: String(cString: sqlite3_errmsg(handle))
    )
  }
}
