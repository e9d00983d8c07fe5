import Foundation
import GRDB
import GRDBSQLite

/// Finds blobs and writes their chunks, inside a transaction.
struct BlobWriter {
  let db: Database

  /// Returns the blob with a hash, if the store has it.
  func blob(withHash sha256: Data) throws -> BlobID? {
    try db.number("SELECT id FROM blob WHERE sha256 = ?", [sha256.databaseValue])
      .map(BlobID.init(rawValue:))
  }

  /// Inserts one chunk without copying it first, as GRDB's arguments would.
  ///
  /// SQLite assembles a row in memory before it writes its pages. It allocates that memory anew for
  /// each row, and getting new memory takes longer than copying the bytes. So a long chunk is first
  /// inserted as zeros, for which SQLite only makes the pages, and then written into them.
  func insert(
    _ piece: UnsafeRawBufferPointer,
    asChunk number: Int64,
    of blob: BlobID
  ) throws {
    let row = BlobChunks.row(number, of: blob)
    let isLong = piece.count > Self.copiedByteCount
    try insert(isLong ? nil : piece.baseAddress, ofSize: piece.count, asRow: row)
    if isLong { try write(piece, toRow: row) }
  }

  /// The size up to which SQLite copies a chunk.
  ///
  /// The heap serves such blocks from memory it already has.
  private static let copiedByteCount = 1 << 15

  /// Inserts a row with bytes, or with zeros.
  private func insert(_ bytes: UnsafeRawPointer?, ofSize count: Int, asRow row: Int64) throws {
    let kept = try db.cachedStatement(sql: "INSERT INTO blob_chunk (id, data) VALUES (?, ?)")
    let statement = kept.sqliteStatement
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    sqlite3_bind_int64(statement, 1, row)
    if let bytes {
      // The bytes outlive the step, so SQLite need not copy them: a nil destructor means static.
      sqlite3_bind_blob64(statement, 2, bytes, sqlite3_uint64(count), nil)
    } else {
      sqlite3_bind_zeroblob64(statement, 2, sqlite3_uint64(count))
    }
    try check(sqlite3_step(statement), is: SQLITE_DONE)
  }

  /// Overwrites the bytes of a row with as many others.
  private func write(_ piece: UnsafeRawBufferPointer, toRow row: Int64) throws {
    var handle: OpaquePointer?
    // Closing it within a transaction writes nothing, so it cannot fail.
    defer { sqlite3_blob_close(handle) }
    let connection = db.sqliteConnection
    try check(sqlite3_blob_open(connection, "main", "blob_chunk", "data", row, 1, &handle))
    try check(sqlite3_blob_write(handle, piece.baseAddress, Int32(piece.count), 0))
  }

  private func check(_ result: Int32, is expected: Int32 = SQLITE_OK) throws {
    guard result == expected else {
      let connection = db.sqliteConnection
      throw DatabaseError(sqlite3_extended_errcode(connection), on: connection)
    }
  }
}
