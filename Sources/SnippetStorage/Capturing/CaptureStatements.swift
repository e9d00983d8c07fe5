import Foundation
import GRDB
import SnippetBase

/// Reads and writes captures inside a transaction, except for their staged blobs.
struct CaptureStatements {
  let db: Database

  /// Begins a capture without any bytes.
  func insert(_ plan: CapturePlan, at date: Date) throws -> CaptureID {
    let id = CaptureID(try StagedBlobStatements(db: db).insert(plan.uuid, at: date))
    try db.execute(
      sql: """
        INSERT INTO capture (id, kind, title, tags, media_type, started_at)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id.rawValue, plan.kind?.rawValue, plan.title, plan.tags.joined(separator: ","),
        plan.mediaType, date.milliseconds,
      ]
    )
    return id
  }

  /// Begins to remove a capture, which is invisible from now on.
  ///
  /// A capture that has ended is not an error.
  func discard(_ id: CaptureID) throws {
    try db.execute(sql: "DELETE FROM capture WHERE id = ?", arguments: [id.rawValue])
  }

  /// Returns the row of a capture; `nil` if it has ended.
  func row(_ id: CaptureID) throws -> CaptureRow? {
    try rows(where: "id = ?", [id.rawValue.databaseValue]).first
  }

  /// Returns the row of the capture with an identity; `nil` if there is none.
  func row(_ uuid: UUID) throws -> CaptureRow? {
    try rows(where: "uuid = ?", [uuid.databaseValue]).first
  }

  /// Returns the rows of all captures, earliest first.
  func rows() throws -> [CaptureRow] {
    try rows(where: "true", [])
  }

  private func rows(
    where condition: String,
    _ arguments: [DatabaseValue]
  ) throws -> [CaptureRow] {
    try db.values(
      """
      SELECT id, uuid, kind, title, tags, media_type, started_at, appended_at, process,
        CASE typeof(tail) WHEN 'blob' THEN length(tail) END, chunk_size,
        (\(StagedBlobStatements.chunkCount))
      FROM capture JOIN staged_blob USING (id) WHERE \(condition) ORDER BY id
      """,
      arguments
    ) { row in
      let uuid = try row.uuid(1)
      let chunks = try StagedBlobStatements.layout(
        chunkCount: row.number(11),
        size: row.number(10)
      )
      return CaptureRow(
        id: CaptureID(rawValue: try row.number(0)),
        uuid: uuid,
        kind: try row.optionalNumber(2).flatMap { SnippetKind(rawValue: Int($0)) },
        title: try row.optionalText(3),
        tags: try row.withText(4) { tags in
          // Split bytes: to Swift, a comma followed by a combining mark is not a comma.
          tags.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
        },
        mediaType: try row.optionalText(5),
        startedAt: Date(milliseconds: try row.number(6)),
        appendedAt: Date(milliseconds: try row.number(7)),
        byteCount: chunks.count * chunks.size + (try row.number(9)),
        isInProgress: StagedBlobStatements.isInProgress(uuid, in: try row.text(8))
      )
    }
  }
}

/// The properties of the snippet that a capture will become.
struct CapturePlan: Sendable {
  var uuid: UUID
  var kind: SnippetKind?
  var title: String?
  var tags: [String] = []
  var mediaType: String?
}
