import Foundation
import GRDB
import GRDBSQLite
import SnippetBase

/// Writes blobs inside a transaction, in chunks and constant memory.
struct BlobWriter {
  let db: Database
  /// Throws when nobody waits for the result any more.
  var check: () throws -> Void = {}

  /// The blob with these bytes: the one that the store has, or a new one.
  ///
  /// The bytes are hashed once more as they are copied, and must still be those that were
  /// prepared.
  func blob(with blob: PreparedBlob) throws -> BlobID {
    if let known = try self.blob(withHash: blob.sha256) { return known }

    if let recorded = blob.source as? StagedBytes {
      // Its chunks are in their place already.
      return try StagedBlobStatements(db: db).adopt(recorded, sha256: blob.sha256)
    }
    let byteCount = blob.source.byteCount
    try db.cachedStatement(
      sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (?, ?, ?)"
    )
    .execute(arguments: [blob.sha256, byteCount, BlobChunks.size])
    let id = BlobID(rawValue: db.lastInsertedRowID)

    var number: Int64 = 0
    var hash = ContentHash()
    let isInMemory = blob.source is MemoryBytes
    try blob.source.forEachPiece(of: BlobChunks.size) { piece in
      try check()
      // Bytes in memory cannot have changed since they were hashed.
      if !isInMemory { hash.update(piece) }
      try insert(piece, asChunk: number, of: id)
      number += 1
    }
    guard isInMemory || hash.finish() == blob.sha256 else { throw ContentChange() }
    return id
  }

  /// The blob that the store has of some bytes.
  func blob(withHash sha256: Data) throws -> BlobID? {
    let known = try db.cachedStatement(sql: "SELECT id FROM blob WHERE sha256 = ?")
    return try Int64.fetchOne(known, arguments: [sha256]).map(BlobID.init(rawValue:))
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

/// The blob has more bytes than fit: more than 256 GiB.
struct BlobTooLarge: Error {}
