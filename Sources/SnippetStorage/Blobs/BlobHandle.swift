import GRDB
import GRDBSQLite

/// A handle of SQLite that moves from chunk to chunk.
///
/// From its first read to its end it holds a snapshot, which no checkpoint can pass, so keep it
/// short.
struct BlobHandle: ~Copyable {
  private let owner: any BlobConnection
  private let connection: OpaquePointer
  private var handle: OpaquePointer?
  /// The row of the handle.
  private var row: Int64 = -1

  init(on connection: any BlobConnection) throws {
    owner = connection
    self.connection = try connection.handle
  }

  deinit {
    sqlite3_blob_close(handle)
  }

  /// Fills `buffer` with the bytes of a blob from `offset` on.
  ///
  /// All must lie within the blob.
  mutating func read(
    _ blob: BlobID,
    _ layout: BlobLayout,
    at offset: Int64,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws {
    var done = 0
    while done < buffer.count {
      let position = offset + Int64(done)
      let number = position / layout.chunkSize
      try move(to: number, of: blob, layout)
      let start = position - number * layout.chunkSize
      let count = min(buffer.count - done, Int(layout.byteCount(ofChunk: number) - start))
      let target = buffer.baseAddress.map { $0 + done }
      try check(sqlite3_blob_read(handle, target, Int32(count), Int32(start)))
      done += count
    }
    owner.didRead(byteCount: done)
  }

  /// Moves to a chunk, and checks that it exists and has the expected size.
  mutating func move(to number: Int64, of blob: BlobID, _ layout: BlobLayout) throws {
    let row = BlobChunks.row(number, of: blob)
    guard row != self.row else { return }
    self.row = -1
    let result =
      handle.map { sqlite3_blob_reopen($0, row) }
      ?? sqlite3_blob_open(connection, "main", "blob_chunk", "data", row, 0, &handle)
    // SQLite's answer if there is no such row.
    guard result != SQLITE_ERROR else {
      throw DatabaseError.damage("chunk \(number) of blob \(blob) is missing")
    }
    try check(result)
    guard Int64(sqlite3_blob_bytes(handle)) == layout.byteCount(ofChunk: number) else {
      throw DatabaseError.damage(
        "chunk \(number) of blob \(blob) has another size than the blob gives it"
      )
    }
    self.row = row
  }

  private func check(_ result: Int32) throws {
    guard result == SQLITE_OK else {
      throw DatabaseError(sqlite3_extended_errcode(connection), on: connection)
    }
  }
}
