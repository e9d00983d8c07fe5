import Foundation
import GRDB

/// The only place that knows both the columns of a row and ``SnippetRow``.
enum SnippetRowQuery {
  /// The columns of a row; `snippet` must be in the FROM clause.
  ///
  /// None of them touches a payload. Tags are joined with the one character that they may not
  /// contain, and sorted afterwards: SQLite would need a sorter for each row.
  static let columns = """
    snippet.id, snippet.uuid, snippet.kind, snippet.title, snippet.preview, snippet.created_at,
    snippet.modified_at, snippet.pinned, snippet.byte_count, snippet.media_type,
    snippet.pixel_width, snippet.pixel_height, snippet.duration_ms, snippet.revision,
    snippet.blob_id, snippet.deleted_at, snippet.sample_rate, snippet.channel_count,
    snippet.irregular, (
      SELECT group_concat(tag.name, ',')
      FROM snippet_tag JOIN tag ON tag.id = snippet_tag.tag_id
      WHERE snippet_tag.snippet_id = snippet.id
    )
    """

  /// Makes a row from the columns, by position.
  ///
  /// It throws if a damaged file holds what the schema forbids.
  static func row(from row: StatementRow) throws -> SnippetRow {
    let id = try row.number(0)
    guard let kind = SnippetKind(rawValue: Int(try row.number(2))),
      let uuid = try row.withBytes(1, UUID.init(bytes:))
    else {
      throw DatabaseError.damage("snippet \(id) has an impossible kind or uuid")
    }
    return SnippetRow(
      id: SnippetID(rawValue: id),
      uuid: uuid,
      kind: kind,
      title: try row.text(3),
      preview: try row.text(4),
      createdAt: Date(milliseconds: try row.number(5)),
      modifiedAt: Date(milliseconds: try row.number(6)),
      isPinned: try row.number(7) != 0,
      tags: try row.isNull(19) ? [] : row.withText(19, tags(in:)),
      byteCount: try row.number(8),
      mediaType: try row.text(9),
      facts: MediaFacts(
        pixelWidth: try row.optionalNumber(10).map { Int($0) },
        pixelHeight: try row.optionalNumber(11).map { Int($0) },
        duration: try row.optionalNumber(12).map { .milliseconds($0) },
        sampleRate: try row.optionalNumber(16).map { Int($0) },
        channelCount: try row.optionalNumber(17).map { Int($0) },
        isIrregular: try row.number(18) != 0
      ),
      revision: try row.number(13),
      blobID: try row.optionalNumber(14).map(BlobID.init(rawValue:)),
      deletedAt: try row.optionalNumber(15).map(Date.init(milliseconds:))
    )
  }

  /// Returns the tags sorted by name, in the order of SQLite's NOCASE.
  private static func tags(in joined: UnsafeBufferPointer<UInt8>) -> [String] {
    let tags = joined.split(separator: UInt8(ascii: ",")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard tags.count > 1 else { return tags }
    return tags.sorted { SortKey.compareWithoutASCIICase($0, $1) < 0 }
  }

  /// Reads the rows of snippets in the given order; missing ones are left out.
  static func rows(_ ids: some Collection<Int64>, in db: Database) throws -> [SnippetRow] {
    var statement = try SteppedStatement(oneRow, in: db)
    var rows: [SnippetRow] = []
    rows.reserveCapacity(ids.count)
    for id in ids {
      statement.reset()
      try statement.bind(id)
      if let row = try statement.next() { rows.append(try self.row(from: row)) }
    }
    return rows
  }

  /// Reads one row.
  static func row(_ id: SnippetID, in db: Database) throws -> SnippetRow? {
    var statement = try SteppedStatement(oneRow, in: db)
    try statement.bind(id.rawValue)
    return try statement.next().map(row(from:))
  }

  private static let oneRow = "SELECT \(columns) FROM snippet WHERE snippet.id = ?"
}
