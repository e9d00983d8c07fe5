import Foundation
import GRDB

/// The parts of a snippet that search compares.
struct SearchedTexts: Sendable {
  let title: SearchText
  let tags: SearchText
  let body: SearchText
  /// The properties that conditions ask about.
  let facts: SnippetFacts

  /// Reads the present state of a snippet; `nil` if it is gone.
  init?(_ id: SnippetID, in db: Database) throws {
    guard let row = try Reader.row(id, in: db) else { return nil }
    self.init(row, body: SearchText(try Self.text(of: row, in: db)))
  }

  private init(_ row: Source, body: SearchText) {
    title = SearchText(row.title)
    tags = SearchText(apart: row.facts.tags)
    self.body = body
    facts = row.facts
  }

  /// Whether a field contains a term.
  func hold(_ text: SearchText, in field: SearchQuery.Field?) -> Bool {
    switch field {
    case .title: title.contains(text)
    case .tags: tags.contains(text)
    case .text: body.contains(text)
    case nil: title.contains(text) || tags.contains(text) || body.contains(text)
    }
  }

  // MARK: - For the index

  /// The index entry of a snippet.
  enum Indexed {
    /// The snippet is gone or in the trash.
    case nothing
    case texts(SearchedTexts)
    /// The text is long and not prepared yet.
    case notReady
  }

  /// Reads the searched part of a long text; `nil` if the snippet is gone or its text is short by
  /// now.
  static func longText(
    of id: SnippetID,
    in db: Database
  ) throws -> (key: LongTexts.Key, text: String)? {
    guard let row = try Reader.row(id, in: db), let key = try longKey(of: row, in: db) else {
      return nil
    }
    return (key, try text(of: row, in: db))
  }

  /// Returns the identity of a long text; `nil` for all others.
  private static func longKey(of row: Source, in db: Database) throws -> LongTexts.Key? {
    guard row.isText, let blob = row.blobID else { return nil }
    return try db.value(
      "SELECT sha256 FROM blob WHERE id = ? AND byte_count > ?",
      [blob.databaseValue, LongTexts.shortByteCount.databaseValue]
    ) { LongTexts.Key(sha256: try $0.bytes(0), encoding: row.encoding) }
  }

  // MARK: - Texts

  /// The most bytes of a text to search: 4 MiB.
  ///
  /// A text is indexed in one go, and others cannot write during that time.
  static let maximumByteCount: Int64 = 4 << 20

  /// Reads the searched part of a text or a note; empty if there is none.
  static func body(of id: SnippetID, in db: Database) throws -> String {
    guard let row = try Reader.row(id, in: db) else { return "" }
    return try text(of: row, in: db)
  }

  private static func text(of row: Source, in db: Database) throws -> String {
    guard row.isText, let blob = row.blobID else { return row.shortText }
    let data = try db.beginning(of: BlobID(rawValue: blob), upTo: maximumByteCount)
    let encoding = row.encoding.flatMap(TextEncoding.init(name:)) ?? .utf8
    return data.count < maximumByteCount ? encoding.decode(data) : encoding.decodePrefix(data)
  }

  /// A snippet with its tags, and its text or the place of that.
  fileprivate struct Source {
    let isText: Bool
    let title: String
    let blobID: Int64?
    let encoding: String?
    /// The text or note that is stored beside the row; empty if there is none.
    let shortText: String
    let facts: SnippetFacts

    init(_ row: StatementRow, of id: SnippetID) throws {
      let kind = try row.number(0)
      isText = kind == SnippetKind.text.rawValue
      title = try row.text(1)
      blobID = try row.optionalNumber(2)
      encoding = try row.optionalText(3)
      shortText =
        row.isNull(9) ? "" : try row.withBytes(9) { TextEncoding.utf8.decode($0) }
      facts = SnippetFacts(
        id: id.rawValue,
        kind: kind,
        isPinned: try row.number(6) != 0,
        createdAt: try row.number(7),
        byteCount: try row.number(8),
        isInTrash: try row.number(5) != 0,
        // The one character that tags may not contain.
        tags: try row.optionalText(4)?.split(separator: ",").map(String.init) ?? [],
        mediaType: try row.text(10),
        duration: try row.optionalNumber(11)
      )
    }
  }

  /// Reads the texts of one snippet after the other.
  struct Reader: ~Copyable {
    private var statement: SteppedStatement

    init(in db: Database) throws {
      // Text as bytes: one written by another program may contain NUL, which ends a C string.
      statement = try SteppedStatement(
        """
        SELECT kind, title, blob_id, text_encoding, (
          SELECT group_concat(name, ',') FROM tag JOIN snippet_tag ON tag.id = snippet_tag.tag_id
          WHERE snippet_tag.snippet_id = snippet.id
        ), deleted_at IS NOT NULL, pinned, created_at, byte_count, CAST(body AS BLOB), media_type,
          duration_ms
        FROM snippet LEFT JOIN snippet_text ON snippet_id = id WHERE id = ?
        """,
        in: db
      )
    }

    /// Reads the texts of a snippet for the index, except a long text, which must be prepared.
    mutating func indexed(
      _ id: SnippetID,
      _ longTexts: inout LongTexts,
      in db: Database
    ) throws -> Indexed {
      guard let row = try row(id), !row.facts.isInTrash else { return .nothing }
      guard let key = try SearchedTexts.longKey(of: row, in: db) else {
        let text = try SearchedTexts.text(of: row, in: db)
        return .texts(SearchedTexts(row, body: SearchText(text)))
      }
      guard let body = longTexts.body(key, of: id) else { return .notReady }
      return .texts(SearchedTexts(row, body: body))
    }

    fileprivate static func row(_ id: SnippetID, in db: Database) throws -> Source? {
      var reader = try Reader(in: db)
      return try reader.row(id)
    }

    private mutating func row(_ id: SnippetID) throws -> Source? {
      // After the read, so that it does not go on while other tables are written.
      defer { statement.reset() }
      try statement.bind(id.rawValue)
      return try statement.next().map { try Source($0, of: id) }
    }
  }
}
