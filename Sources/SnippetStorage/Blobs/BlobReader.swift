import CStorage
import GRDB
import GRDBSQLite
import SnippetBase

/// A connection of the store that reads blobs and nothing else.
///
/// It calls SQLite directly, because a layer in between would take longer than reading a small
/// blob: a file of 10 kB is read in five microseconds, and a hop to a queue and back takes more.
//
// Unchecked: used only under the lock of the `BlobReaders` that made it.
final class BlobReader: BlobConnection, @unchecked Sendable {
  let handle: OpaquePointer
  var lastLayout: (blob: BlobID, layout: BlobLayout)?
  /// Indexed by the number of the question.
  private var statements: [OpaquePointer?] = BlobQuestion.allCases.map { _ in nil }
  private let mappedByteCount: Int64
  /// The number of mapped bytes that may be touched before the total is checked again.
  private var remainingByteCount = 0

  /// The most mapped memory to keep unless the system's read-ahead sets another limit.
  ///
  /// The system counts every touched page of a mapped file as memory of the process.
  private static let maximumResidentByteCount: Int64 = 8 << 20
  /// The system maps neighbouring pages that are in memory together with a page.
  private static let neighbourByteCount = 64 << 10

  /// Opens a connection to a file or its URI, which `maps` its memory or copies what it reads.
  init(path: String, busyTimeout: Duration, maps: Bool) throws {
    // SQLite's maximum by default is just below 2 GiB.
    mappedByteCount = maps ? 2_147_418_112 : 0
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    if path.hasPrefix("file:") { flags |= SQLITE_OPEN_URI }
    let result = sqlite3_open_v2(path, &opened, flags, maps ? snippet_read_ahead_vfs() : nil)
    guard result == SQLITE_OK, let opened else {
      // A connection must be closed even if opening it failed.
      sqlite3_close(opened)
      throw DatabaseError(resultCode: ResultCode(rawValue: result))
    }
    handle = opened
    let hardened = snippet_harden(opened)
    guard hardened == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: hardened))
    }
    sqlite3_busy_timeout(opened, Int32(clamping: Int64(busyTimeout.seconds * 1000)))
    // Leave cell_size_check off: SQLite does not cache mapped pages, so it would check every cell
    // of a page at each read. Among 20,000 blobs that takes half the time of reading a small one.
    // Chunks are compared with their size, and a full check runs on a connection with the setting
    // on.
    try run("PRAGMA foreign_keys = ON")
    // Only `Checkpointer` checkpoints.
    try run("PRAGMA wal_autocheckpoint = 0")
    try run("PRAGMA mmap_size = \(mappedByteCount)")
    // Mapped pages need no cache; beyond 2 GiB only the path to a blob is read again.
    if maps { try run("PRAGMA cache_size = -256") }
    // The first read opens the log, which `OpenStoreFile` then compares.
    try run("PRAGMA schema_version")
    // SQLite parses the schema for its first statement. Where this fails, the first read says so.
    _ = try? self.statement(for: .start)
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
    guard result == SQLITE_OK, let statement else { throw DatabaseError(result, on: handle) }
    statements[question.rawValue] = statement
    return SteppedStatement(kept: statement)
  }

  func didRead(byteCount: Int) {
    remainingByteCount -= byteCount + Self.neighbourByteCount
  }

  /// Unmaps pages once there are many.
  ///
  /// Mapping 10 MB again takes longer than copying it twice, so files known to be read repeatedly
  /// keep more pages.
  ///
  /// Call it between two reads: SQLite does not map again while a page is in use.
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
    guard result == SQLITE_OK else { throw DatabaseError(result, on: handle) }
  }
}
