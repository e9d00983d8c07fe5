import Foundation
import GRDB
import SnippetBase

/// Reads and writes staged blobs inside a transaction.
struct StagedBlobStatements {
  let db: Database

  /// Begins a staged blob, with an id that the table `blob` will never assign again.
  ///
  /// - Parameters:
  ///   - uuid: Identifies it across stores; for a capture, the identity of its future snippet.
  ///   - date: The present time.
  /// - Returns: The id.
  /// - Throws: Errors of SQLite.
  func insert(_ uuid: UUID, at date: Date) throws -> BlobID {
    try db.execute(
      sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (randomblob(32), 1, 1)"
    )
    let id = db.lastInsertedRowID
    try db.execute(sql: "DELETE FROM blob WHERE id = ?", arguments: [id])
    try db.execute(
      sql: """
        INSERT INTO staged_blob (id, uuid, process, appended_at, chunk_size) VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [id, uuid, ProcessMark.own, date.milliseconds, BlobChunks.size]
    )
    return BlobID(rawValue: id)
  }

  /// Appends full chunks, and replaces the tail after them.
  func append(
    _ chunks: UnsafeRawBufferPointer,
    from number: Int64,
    tail: Data,
    to id: BlobID,
    at date: Date
  ) throws {
    try db.cachedStatement(
      sql: "UPDATE staged_blob SET tail = ?, appended_at = ? WHERE id = ? AND discarded = 0"
    )
    .execute(arguments: [tail, date.milliseconds, id.rawValue])
    guard db.changesCount == 1 else { throw StagedBlobEnd() }
    let writer = BlobWriter(db: db)
    var number = number
    for start in stride(from: 0, to: chunks.count, by: BlobChunks.size) {
      guard number < BlobChunks.maximumCount else { throw BlobTooLarge() }
      let chunk = UnsafeRawBufferPointer(rebasing: chunks[start..<start + BlobChunks.size])
      try writer.insert(chunk, asChunk: number, of: id)
      number += 1
    }
  }

  /// Whether the process that began a staged blob is still writing it.
  static func isInProgress(_ uuid: UUID, in process: String) -> Bool {
    process == ProcessMark.own ? LiveStagedBlobs.contains(uuid) : ProcessMark.isRunning(process)
  }

  /// Selects the number of full chunks of a staged blob.
  static let chunkCount = """
    SELECT coalesce(max(blob_chunk.id) - (staged_blob.id << 20) + 1, 0) FROM blob_chunk
    WHERE blob_chunk.id BETWEEN staged_blob.id << 20 AND (staged_blob.id << 20) + 1048575
    """

  /// Refuses sizes that the schema forbids, which occur only in a damaged file.
  static func layout(
    chunkCount: Int64,
    size: Int64
  ) throws -> (count: Int64, size: Int64) {
    guard (0...BlobChunks.maximumCount).contains(chunkCount), (1...1 << 24).contains(size) else {
      throw DatabaseError.damage("a staged blob has an impossible size")
    }
    return (chunkCount, size)
  }

  /// Returns the location of a staged blob's bytes; `nil` if the blob has ended.
  func bytes(of id: BlobID) throws -> (chunkCount: Int64, chunkSize: Int64, tail: Data)? {
    try db.value(
      """
      SELECT (\(Self.chunkCount)), chunk_size, tail FROM staged_blob
      WHERE id = ? AND discarded = 0
      """,
      [id.rawValue.databaseValue]
    ) { row in
      let chunks = try Self.layout(chunkCount: row.number(0), size: row.number(1))
      return (chunks.count, chunks.size, try row.bytes(2))
    }
  }

  /// Turns a staged blob into a blob.
  func adopt(_ bytes: StagedBytes, sha256: Data) throws -> BlobID {
    let id = bytes.id
    guard let found = try self.bytes(of: id),
      found.chunkCount * found.chunkSize + Int64(found.tail.count) == bytes.byteCount
    else { throw StagedBlobEnd() }
    try db.execute(
      sql: "INSERT INTO blob (id, sha256, byte_count, chunk_size) VALUES (?, ?, ?, ?)",
      arguments: [id.rawValue, sha256, bytes.byteCount, bytes.chunkSize]
    )
    if !bytes.tail.isEmpty {
      try bytes.tail.withUnsafeBytes { tail in
        try BlobWriter(db: db).insert(tail, asChunk: bytes.chunkCount, of: id)
      }
    }
    try delete(id)
    return id
  }

  func delete(_ id: BlobID) throws {
    try db.execute(sql: "DELETE FROM staged_blob WHERE id = ?", arguments: [id.rawValue])
  }
}

/// The staged blobs that this process is writing.
enum LiveStagedBlobs {
  private static let uuids = Lock<Set<UUID>>([])

  static func contains(_ uuid: UUID) -> Bool { uuids.withLock { $0.contains(uuid) } }

  static func insert(_ uuid: UUID) { uuids.withLock { _ = $0.insert(uuid) } }

  static func remove(_ uuid: UUID) { uuids.withLock { _ = $0.remove(uuid) } }
}
