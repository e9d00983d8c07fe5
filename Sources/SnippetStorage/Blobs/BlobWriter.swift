import Foundation
import GRDB
import GRDBSQLite

/// Finds blobs and writes their chunks, inside a transaction.
struct BlobWriter {
  let db: Database

  /// The blob that the store has of some bytes.
  func blob(withHash sha256: Data) throws -> BlobID? {
    try db.number("SELECT id FROM blob WHERE sha256 = ?", [sha256.databaseValue])
      .map(BlobID.init(rawValue:))
  }

  /// Inserts one chunk without copying it first: GRDB's arguments would.
  func insert(
    _ piece: UnsafeRawBufferPointer,
    asChunk number: Int64,
    of blob: BlobID
  ) throws {
    let kept = try db.cachedStatement(sql: "INSERT INTO blob_chunk (id, data) VALUES (?, ?)")
    let statement = kept.sqliteStatement
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    sqlite3_bind_int64(statement, 1, BlobChunks.row(number, of: blob))
    // The bytes outlive the step, so SQLite need not copy them: a nil destructor means static.
    sqlite3_bind_blob64(statement, 2, piece.baseAddress, sqlite3_uint64(piece.count), nil)
    let result = sqlite3_step(statement)
    guard result == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
        message: db.lastErrorMessage
      )
    }
  }
}
