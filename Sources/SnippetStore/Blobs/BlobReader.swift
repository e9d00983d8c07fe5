import Foundation
import GRDB
import GRDBSQLite

/// Reads the bytes of blobs by SQLite's incremental blob calls.
///
/// No snapshot outlives a call of ``read(_:at:into:)``, so that a reader who takes long over a
/// blob never holds up a checkpoint.
enum BlobReader {
  /// The size of a blob and of its chunks.
  struct Layout: Sendable {
    var byteCount: Int64
    var chunkSize: Int64

    /// Refuses what the schema forbids and only a damaged file can hold.
    init?(byteCount: Int64?, chunkSize: Int64?) {
      guard let byteCount, let chunkSize, (1...1 << 24).contains(chunkSize), byteCount > 0,
        byteCount <= chunkSize * BlobChunks.maximumCount
      else { return nil }
      self.byteCount = byteCount
      self.chunkSize = chunkSize
    }
  }

  /// How a blob is laid out, or `nil` when it is gone.
  static func layout(of blob: BlobID, in db: Database) throws -> Layout? {
    let statement = try db.cachedStatement(
      sql: "SELECT byte_count, chunk_size FROM blob WHERE id = ?"
    )
    return try Row.fetchOne(statement, arguments: [blob.rawValue]).map { row in
      guard let layout = Layout(byteCount: row[0], chunkSize: row[1]) else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT,
          message: "blob \(blob) has an impossible size"
        )
      }
      return layout
    }
  }

  /// Fills `buffer` with the bytes of a blob from `offset` on, in one snapshot.
  ///
  /// - Returns: How many bytes were read: fewer than asked for only at the end of the blob.
  static func read(
    _ blob: BlobID,
    layout: Layout,
    at offset: Int64,
    into buffer: UnsafeMutableRawBufferPointer,
    in db: Database
  ) throws -> Int {
    guard offset >= 0, offset < layout.byteCount else { return 0 }
    let total = Int(min(Int64(buffer.count), layout.byteCount - offset))
    var handle: OpaquePointer?
    defer { sqlite3_blob_close(handle) }
    var done = 0
    while done < total {
      let position = offset + Int64(done)
      try move(&handle, to: position / layout.chunkSize, of: blob, in: db)
      let start = position % layout.chunkSize
      let count = min(total - done, Int(sqlite3_blob_bytes(handle)) - Int(start))
      guard count > 0 else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT,
          message: "blob \(blob) has a chunk that is too short"
        )
      }
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
      try check(sqlite3_blob_read(handle, target.baseAddress, Int32(count), Int32(start)), db)
      done += count
    }
    return total
  }

  /// The bytes of a blob in a range, which must lie within it.
  static func bytes(
    of blob: BlobID,
    layout: Layout,
    in range: Range<Int64>,
    _ db: Database
  ) throws -> Data {
    if range.count > 1 << 20 {
      // The size in a damaged file could ask for more memory than there is; its last byte is looked
      // for first.
      try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
        _ = try read(blob, layout: layout, at: range.upperBound - 1, into: byte, in: db)
      }
    }
    var data = Data(count: range.count)
    try data.withUnsafeMutableBytes { buffer in
      // A blob that is gone fails on its first chunk, so what is read is always whole.
      _ = try read(blob, layout: layout, at: range.lowerBound, into: buffer, in: db)
    }
    return data
  }

  /// Opens a chunk, or moves on to it.
  private static func move(
    _ handle: inout OpaquePointer?,
    to number: Int64,
    of blob: BlobID,
    in db: Database
  ) throws {
    let row = BlobChunks.row(number, of: blob)
    let result =
      handle.map { sqlite3_blob_reopen($0, row) }
      ?? sqlite3_blob_open(db.sqliteConnection, "main", "blob_chunk", "data", row, 0, &handle)
    // That is how SQLite says that there is no such row.
    if result == SQLITE_ERROR {
      guard try layout(of: blob, in: db) != nil else { throw BlobDeletion() }
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "chunk \(number) of blob \(blob) is missing"
      )
    }
    try check(result, db)
  }

  private static func check(_ result: Int32, _ db: Database) throws {
    guard result == SQLITE_OK else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
        message: db.lastErrorMessage
      )
    }
  }
}

/// The blob was deleted while it was read.
struct BlobDeletion: Error {}
