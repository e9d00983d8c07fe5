import Foundation
import GRDB
import SnippetBase

/// Reads and writes staged blobs inside a transaction.
struct StagedBlobStatements {
  let db: Database

  /// Begins a staged blob, with an id that the table `blob` will never assign again.
  ///
  /// The UUID identifies it across stores; for a capture, it is that of its future snippet.
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

/// Removes staged blobs that will not become part of a snippet, in steps.
extension StagedBlobStatements {
  /// The most chunks to remove in one transaction: 8 MiB at the usual chunk size, which holds the
  /// writer for a few milliseconds.
  private static let discardedChunkCount = 32

  /// Begins to remove a staged blob.
  ///
  /// It and its capture are invisible from now on.
  ///
  /// A blob that has already ended is not an error.
  func discard(_ id: BlobID) throws {
    try db.execute(
      sql: "UPDATE staged_blob SET discarded = 1 WHERE id = ?",
      arguments: [id.rawValue]
    )
  }

  /// Whether a process ended while it was saving a file, or discarded blobs are still to be
  /// removed.
  func hasLeftovers() throws -> Bool {
    let isAnyDiscarded = try db.number(
      "SELECT EXISTS (SELECT 1 FROM staged_blob WHERE discarded = 1)"
    )
    return try isAnyDiscarded == 1 || !unfinishedSaves().isEmpty
  }

  /// Begins to remove the files that processes were saving when they ended.
  func discardUnfinishedSaves() throws {
    for id in try unfinishedSaves() { try discard(id) }
  }

  private func unfinishedSaves() throws -> [BlobID] {
    try db.values(
      """
      SELECT id, uuid, process FROM staged_blob
      WHERE discarded = 0 AND NOT EXISTS (SELECT 1 FROM capture WHERE capture.id = staged_blob.id)
      ORDER BY id
      """
    ) { row in
      let isInProgress = Self.isInProgress(try row.uuid(1), in: try row.text(2))
      return isInProgress ? nil : BlobID(rawValue: try row.number(0))
    }.compactMap(\.self)
  }

  /// Removes the next part of a discarded blob, and returns the number of its chunks; `nil` if
  /// nothing is left.
  func sweep() throws -> Int? {
    guard
      let id = try db.number("SELECT id FROM staged_blob WHERE discarded = 1 LIMIT 1")
    else { return nil }
    try db.execute(
      sql: """
        DELETE FROM blob_chunk WHERE id IN (
          SELECT id FROM blob_chunk WHERE id BETWEEN ?1 << 20 AND (?1 << 20) + 1048575
          ORDER BY id DESC LIMIT \(Self.discardedChunkCount)
        )
        """,
      arguments: [id]
    )
    let count = db.changesCount
    if count < Self.discardedChunkCount {
      try delete(BlobID(rawValue: id))
      // Otherwise it would be found again forever.
      guard db.changesCount > 0 else {
        throw DatabaseError.damage("staged blob \(id) cannot be removed")
      }
    }
    return count
  }
}

extension Connections {
  /// Removes discarded blobs in transactions of a few milliseconds.
  func sweepStagedBlobs(to operation: String) throws(SnippetStoreError) {
    while try write(to: operation, { try StagedBlobStatements(db: $0).sweep() }) != nil {}
  }
}

/// The bytes of a staged blob so far, at their place in the store.
struct StagedBytes: ByteSource {
  let id: BlobID
  let chunkCount: Int64
  let chunkSize: Int64
  /// The bytes after the full chunks.
  let tail: Data
  /// The hash, if it was computed on the way.
  var sha256: Data?
  let readers: BlobReaders

  var byteCount: Int64 { chunkCount * chunkSize + Int64(tail.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let count = Int(min(Int64(buffer.count), byteCount - offset))
    let inChunks = Int(max(0, min(Int64(count), chunkCount * chunkSize - offset)))
    if inChunks > 0 {
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<inChunks])
      guard let layout = BlobLayout(byteCount: chunkCount * chunkSize, chunkSize: chunkSize) else {
        throw DatabaseError.damage("staged blob \(id) has an impossible size")
      }
      try readers.call {
        try readers.withConnection { connection in
          var handle = try BlobHandle(on: connection)
          try handle.read(id, layout, at: offset, into: part)
        }
      }
    }
    let start = Int(offset + Int64(inChunks) - chunkCount * chunkSize)
    if inChunks < count {
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[inChunks..<count])
      tail.dropFirst(start).prefix(part.count).copyBytes(to: part)
    }
    return count
  }
}
