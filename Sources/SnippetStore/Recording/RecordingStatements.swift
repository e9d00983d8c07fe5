import Foundation
import GRDB

/// The rows of recordings, inside a transaction.
///
/// All the SQL that concerns them stands here.
struct RecordingStatements {
  let db: Database

  /// The chunks that are taken away in one transaction: 8 MiB as they are cut now, which holds the
  /// writer for a few milliseconds.
  private static let discardedChunkCount = 32

  /// Begins a recording, under a number that blob gives and never gives again.
  func insert(_ plan: RecordingPlan, at date: Date) throws -> RecordingID {
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
    return RecordingID(rawValue: id)
  }

  /// Adds full chunks, and replaces what comes after them.
  func append(
    _ chunks: UnsafeRawBufferPointer,
    from number: Int64,
    tail: Data,
    to id: RecordingID,
    at date: Date
  ) throws {
    try db.cachedStatement(
      sql: "UPDATE recording SET tail = ?, appended_at = ? WHERE id = ? AND discarded = 0"
    )
    .execute(arguments: [tail, date.milliseconds, id.rawValue])
    guard db.changesCount == 1 else { throw RecordingEnd() }
    let writer = BlobWriter(db: db)
    var number = number
    for start in stride(from: 0, to: chunks.count, by: BlobChunks.size) {
      guard number < BlobChunks.maximumCount else { throw BlobTooLarge() }
      let chunk = UnsafeRawBufferPointer(rebasing: chunks[start..<start + BlobChunks.size])
      try writer.insert(chunk, asChunk: number, of: id.blob)
      number += 1
    }
  }

  /// What is known of a recording; `nil` when it has ended.
  func row(_ id: RecordingID) throws -> RecordingRow? {
    try rows(where: "id = ?", [id.rawValue]).first
  }

  /// What is known of all recordings that are more than content being saved, the one started first at
  /// the beginning.
  func rows() throws -> [RecordingRow] {
    try rows(where: "true", [])
  }

  private func rows(
    where condition: String,
    _ arguments: StatementArguments
  ) throws -> [RecordingRow] {
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
      let size: Int64 = try row.decode(atIndex: 10)
      let tags: String = try row.decode(atIndex: 4)
      let kind: Int? = row[2]
      return RecordingRow(
        id: RecordingID(rawValue: try row.decode(atIndex: 0)),
        uuid: uuid,
        kind: kind.flatMap(SnippetKind.init(rawValue:)),
        title: row[3],
        tags: tags.split(separator: ",").map(String.init),
        mediaType: row[5],
        startedAt: Date(milliseconds: try row.decode(atIndex: 6)),
        appendedAt: Date(milliseconds: try row.decode(atIndex: 7)),
        byteCount: try row.decode(Int64.self, atIndex: 11) * size
          + row.decode(Int64.self, atIndex: 9),
        isInProgress: Self.isInProgress(uuid, in: process)
      )
    }
  }

  private static func isInProgress(_ uuid: UUID, in process: String) -> Bool {
    process == ProcessMark.own ? LiveRecordings.contains(uuid) : ProcessMark.isRunning(process)
  }

  private static let chunkCount = """
    SELECT coalesce(max(blob_chunk.id) - (recording.id << 20) + 1, 0) FROM blob_chunk
    WHERE blob_chunk.id BETWEEN recording.id << 20 AND (recording.id << 20) + 1048575
    """

  /// Where the bytes of a recording stand; `nil` when it has ended.
  func bytes(of id: RecordingID) throws -> (chunkCount: Int64, chunkSize: Int64, tail: Data)? {
    try Row.fetchOne(
      db,
      sql: """
        SELECT (\(Self.chunkCount)), chunk_size, tail FROM recording
        WHERE id = ? AND discarded = 0
        """,
      arguments: [id.rawValue]
    ).map { row in
      (try row.decode(atIndex: 0), try row.decode(atIndex: 1), try row.decode(atIndex: 2))
    }
  }

  /// Makes a blob of a recording, which ends it.
  func adopt(_ bytes: RecordedBytes, sha256: Data) throws -> BlobID {
    let id = bytes.id
    guard let found = try self.bytes(of: id),
      found.chunkCount * found.chunkSize + Int64(found.tail.count) == bytes.byteCount
    else { throw RecordingEnd() }
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

  /// Begins to take a recording away: from now on nobody sees it.
  ///
  /// - Parameters:
  ///   - id: What to take away; one that is gone already is no error.
  ///   - ifResumable: Whether to leave content alone that is being saved.
  /// - Throws: An error of SQLite.
  func discard(_ id: RecordingID, ifResumable: Bool = false) throws {
    try db.execute(
      sql: "UPDATE recording SET discarded = 1 WHERE id = ? AND resumable >= ?",
      arguments: [id.rawValue, ifResumable ? 1 : 0]
    )
  }

  /// Whether there is content that a process was saving when it ended.
  func hasUnfinishedSaves() throws -> Bool { try !unfinishedSaves().isEmpty }

  /// Begins to take away the content that processes were saving when they ended.
  func discardUnfinishedSaves() throws {
    for id in try unfinishedSaves() { try discard(id) }
  }

  private func unfinishedSaves() throws -> [RecordingID] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT id, uuid, process FROM recording WHERE discarded = 0 AND resumable = 0 ORDER BY id
        """
    ).compactMap { row in
      let isInProgress = Self.isInProgress(
        try row.decode(atIndex: 1),
        in: try row.decode(atIndex: 2)
      )
      return isInProgress ? nil : RecordingID(rawValue: try row.decode(atIndex: 0))
    }
  }

  /// Takes away the next part of what was discarded.
  ///
  /// - Returns: How many chunks that were; `nil` when nothing is left.
  func sweep() throws -> Int? {
    guard
      let id = try Int64.fetchOne(db, sql: "SELECT id FROM recording WHERE discarded = 1 LIMIT 1")
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
    if count < Self.discardedChunkCount { try delete(RecordingID(rawValue: id)) }
    return count
  }

  private func delete(_ id: RecordingID) throws {
    try db.execute(sql: "DELETE FROM recording WHERE id = ?", arguments: [id.rawValue])
  }
}

/// What a recording is to become.
struct RecordingPlan: Sendable {
  var uuid: UUID
  var kind: SnippetKind?
  var title: String?
  var tags: [String] = []
  var mediaType: String?
  /// Whether what a crash leaves of it is worth keeping.
  var isResumable = true
}

/// The recording is not there any more: it was finished or discarded, here or elsewhere.
struct RecordingEnd: Error {}

/// The recordings that this process is at.
enum LiveRecordings {
  private static let uuids = Lock<Set<UUID>>([])

  static func contains(_ uuid: UUID) -> Bool { uuids.withLock { $0.contains(uuid) } }

  static func insert(_ uuid: UUID) { uuids.withLock { _ = $0.insert(uuid) } }

  static func remove(_ uuid: UUID) { uuids.withLock { _ = $0.remove(uuid) } }
}
