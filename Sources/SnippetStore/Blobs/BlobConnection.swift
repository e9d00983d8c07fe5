import Foundation
import GRDB

/// A connection on which blobs are read, by one thread at a time.
protocol BlobConnection {
  /// SQLite's own handle of it.
  var handle: OpaquePointer { get throws }

  /// A statement that is kept prepared.
  func statement(_ sql: String) throws -> SteppedStatement
}

extension Database: BlobConnection {
  var handle: OpaquePointer {
    get throws {
      guard let sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      return sqliteConnection
    }
  }

  func statement(_ sql: String) throws -> SteppedStatement {
    try SteppedStatement(sql, in: self)
  }
}

extension BlobConnection {
  /// Calls `body` with the layout of a blob, in whose snapshot `body` reads too.
  ///
  /// Throws ``BlobDeletion`` when there is no such blob.
  func withLayout<Result>(
    of blob: BlobID,
    _ body: (BlobLayout) throws -> Result
  ) throws -> Result {
    var statement = try statement("SELECT byte_count, chunk_size FROM blob WHERE id = ?")
    try statement.bind(blob.rawValue)
    guard let row = try statement.next() else { throw BlobDeletion() }
    guard let layout = BlobLayout(byteCount: try row.number(0), chunkSize: try row.number(1)) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "blob \(blob) has an impossible size"
      )
    }
    let result = try body(layout)
    // Not before, or the snapshot would end here and another begin with the first chunk.
    statement.reset()
    return result
  }
}

extension Database {
  /// All bytes of a blob in the snapshot that this connection has; `nil` when it is not there.
  func bytes(of blob: BlobID) throws -> Data? {
    do {
      return try withLayout(of: blob) { layout in
        var handle = try BlobHandle(on: self)
        // As everywhere, the size in a damaged file is not believed before its last chunk was seen.
        try handle.move(to: layout.lastChunk, of: blob, layout)
        var memory = BlobMemory()
        try memory.allocate(Int(layout.byteCount))
        try handle.read(blob, layout, at: 0, into: memory.bytes)
        return memory.takeData()
      }
    } catch is BlobDeletion {
      return nil
    }
  }
}

/// The blob is not there, or not any more.
struct BlobDeletion: Error {}
