import Foundation
import GRDB
import SnippetBase

/// The rows of captures, inside a transaction.
///
/// All the SQL that concerns them stands here and in what extends it.
struct StagedBlobStatements {
  let db: Database

  /// Begins a capture, under a number that blob gives and never gives again.
  func insert(_ plan: CapturePlan, at date: Date) throws -> CaptureID {
    try db.execute(
      sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (randomblob(32), 1, 1)"
    )
    let id = db.lastInsertedRowID
    try db.execute(sql: "DELETE FROM blob WHERE id = ?", arguments: [id])
    try db.execute(
      sql: """
        INSERT INTO recording (
          id, uuid, kind, title, tags, media_type, started_at, appended_at, process, chunk_size,
          resumable
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id, withUnsafeBytes(of: plan.uuid.uuid) { Data($0) }, plan.kind?.rawValue, plan.title,
        plan.tags.joined(separator: ","), plan.mediaType, date.milliseconds, date.milliseconds,
        ProcessMark.own, BlobChunks.size, plan.isResumable ? 1 : 0,
      ]
    )
    return CaptureID(rawValue: id)
  }

  /// Adds full chunks, and replaces what comes after them.
  func append(
    _ chunks: UnsafeRawBufferPointer,
    from number: Int64,
    tail: Data,
    to id: CaptureID,
    at date: Date
  ) throws {
    try db.cachedStatement(
      sql: "UPDATE recording SET tail = ?, appended_at = ? WHERE id = ? AND discarded = 0"
    )
    .execute(arguments: [tail, date.milliseconds, id.rawValue])
    guard db.changesCount == 1 else { throw StagedBlobEnd() }
    let writer = BlobWriter(db: db)
    var number = number
    for start in stride(from: 0, to: chunks.count, by: BlobChunks.size) {
      guard number < BlobChunks.maximumCount else { throw BlobTooLarge() }
      let chunk = UnsafeRawBufferPointer(rebasing: chunks[start..<start + BlobChunks.size])
      try writer.insert(chunk, asChunk: number, of: id.blob)
      number += 1
    }
  }

  /// What is known of a capture; `nil` when it has ended.
  func row(_ id: CaptureID) throws -> CaptureRow? {
    try rows(where: "id = ?", [id.rawValue]).first
  }

  /// What is known of all captures that are more than content being saved, the one started first at
  /// the beginning.
  func rows() throws -> [CaptureRow] {
    try rows(where: "true", [])
  }

  private func rows(
    where condition: String,
    _ arguments: StatementArguments
  ) throws -> [CaptureRow] {
    let found = try Row.fetchAll(
      db,
      sql: """
        SELECT id, uuid, kind, title, tags, media_type, started_at, appended_at, process,
          length(tail), chunk_size, (\(Self.chunkCount))
        FROM recording WHERE discarded = 0 AND resumable = 1 AND \(condition) ORDER BY id
        """,
      arguments: arguments
    )
    return try found.map { row in
      let uuid: UUID = try row.decode(atIndex: 1)
      let process: String = try row.decode(atIndex: 8)
      let tags: String = try row.decode(atIndex: 4)
      let kind: Int? = try row.decode(atIndex: 2)
      let chunks = try Self.layout(
        chunkCount: row.decode(atIndex: 11),
        size: row.decode(atIndex: 10)
      )
      return CaptureRow(
        id: CaptureID(rawValue: try row.decode(atIndex: 0)),
        uuid: uuid,
        kind: kind.flatMap(SnippetKind.init(rawValue:)),
        title: try row.decode(atIndex: 3),
        tags: tags.split(separator: ",").map(String.init),
        mediaType: try row.decode(atIndex: 5),
        startedAt: Date(milliseconds: try row.decode(atIndex: 6)),
        appendedAt: Date(milliseconds: try row.decode(atIndex: 7)),
        byteCount: chunks.count * chunks.size + (try row.decode(atIndex: 9)),
        isInProgress: Self.isInProgress(uuid, in: process)
      )
    }
  }

  static func isInProgress(_ uuid: UUID, in process: String) -> Bool {
    process == ProcessMark.own ? LiveStagedBlobs.contains(uuid) : ProcessMark.isRunning(process)
  }

  private static let chunkCount = """
    SELECT coalesce(max(blob_chunk.id) - (recording.id << 20) + 1, 0) FROM blob_chunk
    WHERE blob_chunk.id BETWEEN recording.id << 20 AND (recording.id << 20) + 1048575
    """

  /// Refuses what the schema forbids and only a damaged file can hold.
  private static func layout(
    chunkCount: Int64,
    size: Int64
  ) throws -> (count: Int64, size: Int64) {
    guard (0...BlobChunks.maximumCount).contains(chunkCount), (1...1 << 24).contains(size) else {
      throw DatabaseError.damage("a capture has an impossible size")
    }
    return (chunkCount, size)
  }

  /// Where the bytes of a capture stand; `nil` when it has ended.
  func bytes(of id: CaptureID) throws -> (chunkCount: Int64, chunkSize: Int64, tail: Data)? {
    try Row.fetchOne(
      db,
      sql: """
        SELECT (\(Self.chunkCount)), chunk_size, tail FROM recording
        WHERE id = ? AND discarded = 0
        """,
      arguments: [id.rawValue]
    ).map { row in
      let chunks = try Self.layout(chunkCount: row.decode(atIndex: 0), size: row.decode(atIndex: 1))
      return (chunks.count, chunks.size, try row.decode(atIndex: 2))
    }
  }

  /// Makes a blob of a capture, which ends it.
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
        try BlobWriter(db: db).insert(tail, asChunk: bytes.chunkCount, of: id.blob)
      }
    }
    try delete(id)
    return id.blob
  }

  func delete(_ id: CaptureID) throws {
    try db.execute(sql: "DELETE FROM recording WHERE id = ?", arguments: [id.rawValue])
  }
}

/// What a capture is to become.
struct CapturePlan: Sendable {
  var uuid: UUID
  var kind: SnippetKind?
  var title: String?
  var tags: [String] = []
  var mediaType: String?
  /// Whether what a crash leaves of it is worth keeping.
  var isResumable = true
}

/// The capture is not there any more: it was finished or discarded, here or elsewhere.
struct StagedBlobEnd: Error {}

/// The captures that this process is at.
enum LiveStagedBlobs {
  private static let uuids = Lock<Set<UUID>>([])

  static func contains(_ uuid: UUID) -> Bool { uuids.withLock { $0.contains(uuid) } }

  static func insert(_ uuid: UUID) { uuids.withLock { _ = $0.insert(uuid) } }

  static func remove(_ uuid: UUID) { uuids.withLock { _ = $0.remove(uuid) } }
}
