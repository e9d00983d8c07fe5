import Foundation
import GRDB

/// A connection for reading blobs, used by one thread at a time.
protocol BlobConnection: AnyObject {
  /// SQLite's handle of the connection.
  var handle: OpaquePointer { get throws }

  /// Returns a prepared statement, which the connection keeps.
  func statement(for question: BlobQuestion) throws -> SteppedStatement

  /// Notes that bytes were read.
  func didRead(byteCount: Int)

  /// The blob whose layout was asked for last, if the connection remembers it.
  var lastLayout: (blob: BlobID, layout: BlobLayout)? { get set }
}

/// A query for reading blobs.
enum BlobQuestion: Int, CaseIterable {
  /// The sizes of a blob and of its chunks.
  case layout
  /// The same, with the bytes if the blob is small.
  case start
  /// The location of a snippet's content, with the bytes of a short text.
  case content
  /// The hash of a blob.
  case hash

  /// The most bytes of a small blob: 32 KiB.
  ///
  /// Up to this size a copy by SQLite is faster than a handle on the chunk.
  static let smallByteCount: Int64 = 32_768

  var sql: String {
    switch self {
    case .layout: "SELECT byte_count, chunk_size FROM blob WHERE id = ?"
    case .start:
      """
      SELECT byte_count, chunk_size,
        CASE WHEN byte_count <= min(chunk_size, \(Self.smallByteCount)) THEN data END
      FROM blob LEFT JOIN blob_chunk ON blob_chunk.id = blob.id << 20
      WHERE blob.id = ?
      """
    case .content: "\(SnippetDigest.selection) WHERE id = ?"
    case .hash: "SELECT sha256 FROM blob WHERE id = ?"
    }
  }
}

extension Database: BlobConnection {
  var handle: OpaquePointer {
    get throws {
      guard let sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      return sqliteConnection
    }
  }

  func statement(for question: BlobQuestion) throws -> SteppedStatement {
    try SteppedStatement(question.sql, in: self)
  }

  func didRead(byteCount: Int) {}

  var lastLayout: (blob: BlobID, layout: BlobLayout)? {
    get { nil }
    set {}
  }
}

extension BlobConnection {
  /// Calls `body` with the layout of a blob, in a snapshot in which `body` can read on.
  ///
  /// Throws ``BlobDeletion`` if the blob does not exist.
  func withLayout<Result>(
    of blob: BlobID,
    _ body: (BlobLayout) throws -> Result
  ) throws -> Result {
    var statement = try statement(for: .layout)
    try statement.bind(blob.rawValue)
    guard let row = try statement.next() else { throw BlobDeletion() }
    let layout = try BlobLayout(of: blob, in: row)
    lastLayout = (blob, layout)
    let result = try body(layout)
    // Reset afterwards: before, it would end the snapshot, and the first chunk would begin another.
    statement.reset()
    return result
  }

  /// Reads a part of the blob whose layout is remembered.
  ///
  /// A blob never changes, and its identifier is never given to another. So the chunk alone shows
  /// whether the blob is still there. Returns `false` if the part must be read by the layout in the
  /// file: that of another blob is remembered, the blob ends before, reading failed, or the part is
  /// too long for one snapshot.
  func readRemembered(
    _ blob: BlobID,
    at offset: Int64,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let (last, layout) = lastLayout, last == blob, !buffer.isEmpty,
      buffer.count <= BlobReaders.spanByteCount,
      Int64(buffer.count) <= layout.byteCount - offset
    else { return false }
    do {
      var handle = try BlobHandle(on: self)
      try handle.read(blob, layout, at: offset, into: buffer)
      return true
    } catch {
      return false
    }
  }

  /// Returns the hash that a blob was saved with.
  ///
  /// Throws ``BlobDeletion`` if the blob does not exist.
  func sha256(of blob: BlobID) throws -> Data {
    var statement = try statement(for: .hash)
    try statement.bind(blob.rawValue)
    guard let row = try statement.next() else { throw BlobDeletion() }
    return try row.bytes(0)
  }

  /// Calls `body` with the layout of a blob and, if it is small, with its bytes, which `body` must
  /// not keep.
  ///
  /// Throws ``BlobDeletion`` if the blob does not exist.
  func withBlob<Result>(
    _ blob: BlobID,
    _ body: (BlobLayout, UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    var statement = try statement(for: .start)
    try statement.bind(blob.rawValue)
    guard let row = try statement.next() else { throw BlobDeletion() }
    let layout = try BlobLayout(of: blob, in: row)
    let result: Result
    if layout.byteCount > min(layout.chunkSize, BlobQuestion.smallByteCount) {
      result = try body(layout, nil)
    } else if row.isNull(2) {
      throw DatabaseError.damage("chunk 0 of blob \(blob) is missing")
    } else {
      result = try row.withBytes(2) { bytes in
        guard Int64(bytes.count) == layout.byteCount else {
          throw DatabaseError.damage(
            "chunk 0 of blob \(blob) has another size than the blob gives it"
          )
        }
        didRead(byteCount: bytes.count)
        return try body(layout, bytes)
      }
    }
    // Reset afterwards: before, it would end the snapshot, and the first chunk would begin another.
    statement.reset()
    return result
  }
}
