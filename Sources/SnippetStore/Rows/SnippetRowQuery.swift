import Foundation
import GRDB

/// The only place where the columns of a row and ``SnippetRow`` meet.
enum SnippetRowQuery {
  /// What a row is made of; `snippet` must be in the FROM clause.
  ///
  /// None of it touches a payload. Tags are joined by the one character that no tag may hold.
  static let columns = """
    snippet.id, snippet.uuid, snippet.kind, snippet.title, snippet.preview, snippet.created_at,
    snippet.modified_at, snippet.pinned, snippet.byte_count, snippet.media_type,
    snippet.pixel_width, snippet.pixel_height, snippet.duration_ms, snippet.revision,
    snippet.blob_id,
    (
      SELECT group_concat(name, ',')
      FROM (
        SELECT tag.name FROM snippet_tag JOIN tag ON tag.id = snippet_tag.tag_id
        WHERE snippet_tag.snippet_id = snippet.id ORDER BY tag.name
      )
    )
    """

  /// Makes the row out of the columns, by their place.
  ///
  /// In a damaged file a column may hold what the schema forbids: that throws, where a subscript
  /// would trap.
  static func row(from row: Row) throws -> SnippetRow {
    let id: Int64 = try row.decode(atIndex: 0)
    guard let kind = SnippetKind(rawValue: try row.decode(atIndex: 2)),
      let uuid = UUID(bytes: try row.decode(atIndex: 1))
    else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "snippet \(id) has an impossible kind or uuid"
      )
    }
    let tags: String? = row[15]
    let duration: Int64? = row[12]
    return SnippetRow(
      id: SnippetID(rawValue: id),
      uuid: uuid,
      kind: kind,
      title: try row.decode(atIndex: 3),
      preview: try row.decode(atIndex: 4),
      createdAt: Date(milliseconds: try row.decode(atIndex: 5)),
      modifiedAt: Date(milliseconds: try row.decode(atIndex: 6)),
      isPinned: try row.decode(Int64.self, atIndex: 7) != 0,
      tags: tags.map { $0.split(separator: ",").map(String.init) } ?? [],
      byteCount: try row.decode(atIndex: 8),
      mediaType: try row.decode(atIndex: 9),
      facts: MediaFacts(
        pixelWidth: row[10],
        pixelHeight: row[11],
        duration: duration.map { .milliseconds($0) }
      ),
      revision: try row.decode(atIndex: 13),
      blobID: (row[14] as Int64?).map(BlobID.init(rawValue:))
    )
  }

  /// Finds one row.
  static func row(_ id: SnippetID, in db: Database) throws -> SnippetRow? {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns) FROM snippet WHERE snippet.id = ?"
    )
    return try Row.fetchOne(statement, arguments: [id.rawValue]).map(row(from:))
  }
}

extension Date {
  /// The moment so many milliseconds after the start of 1970, UTC.
  init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Milliseconds since the start of 1970, UTC, held within the years 1 to 9999 that the schema
  /// allows.
  var milliseconds: Int64 {
    let value = (timeIntervalSince1970 * 1000).rounded()
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -62_135_596_800_000), 253_402_300_799_999))
  }
}

extension UUID {
  /// The identity with these 16 bytes; `nil` for any other number of bytes.
  init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    var value = UUID_NULL
    withUnsafeMutableBytes(of: &value) { _ = bytes.copyBytes(to: $0) }
    self.init(uuid: value)
  }

  /// The 16 bytes.
  var bytes: Data {
    withUnsafeBytes(of: uuid) { Data($0) }
  }
}

private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
