import Foundation
import GRDB

/// Writes prepared snippets inside a transaction.
///
/// All the SQL that inserts stands here.
struct SnippetWriter {
  let db: Database
  /// Throws when nobody waits for the result any more.
  var check: () throws -> Void = {}

  /// Inserts a snippet with its body and tags, and its blob unless the store has the same bytes.
  func insert(_ snippet: PreparedSnippet) throws -> SnippetID {
    var blobID: BlobID?
    var encoding: TextEncoding?
    if case .blob(let blob, let textEncoding) = snippet.body {
      blobID = try BlobWriter(db: db, check: check).blob(with: blob)
      encoding = textEncoding
    }
    let created = snippet.createdAt.milliseconds
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO snippet (
          uuid, kind, title, preview, created_at, modified_at, pinned, byte_count, media_type,
          text_encoding, pixel_width, pixel_height, duration_ms, blob_id
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    )
    try statement.execute(arguments: [
      snippet.uuid.bytes, snippet.kind.rawValue, snippet.title, snippet.preview, created, created,
      snippet.isPinned ? 1 : 0, snippet.byteCount, snippet.mediaType, encoding?.name,
      snippet.facts.pixelWidth, snippet.facts.pixelHeight,
      snippet.facts.duration.map(\.milliseconds), blobID?.rawValue,
    ])
    let id = SnippetID(rawValue: db.lastInsertedRowID)
    if case .text(let body) = snippet.body { try insertText(body, for: id) }
    for tag in snippet.tags { try add(tag, to: id) }
    return id
  }

  /// Finds a snippet with the same content.
  func duplicate(of snippet: PreparedSnippet) throws -> SnippetID? {
    let id: Int64?
    switch snippet.body {
    case .text(let body):
      // The unary plus keeps SQLite from putting the body in place of the column in the other
      // terms, which would make them useless for the index.
      let statement = try db.cachedStatement(
        sql: """
          SELECT snippet_id FROM snippet_text
          WHERE length(CAST(body AS BLOB)) = ?1 AND substr(body, 1, 32) = substr(?2, 1, 32)
            AND substr(body, -32) = substr(?2, -32) AND +body = ?2
          LIMIT 1
          """
      )
      id = try Int64.fetchOne(statement, arguments: [body.utf8.count, body])
    case .blob(let blob, _):
      let statement = try db.cachedStatement(
        sql: """
          SELECT snippet.id FROM blob JOIN snippet ON snippet.blob_id = blob.id
          WHERE blob.sha256 = ? LIMIT 1
          """
      )
      id = try Int64.fetchOne(statement, arguments: [blob.sha256])
    }
    return id.map(SnippetID.init(rawValue:))
  }

  /// Gives a text snippet its body.
  func insertText(_ body: String, for id: SnippetID) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT INTO snippet_text (snippet_id, body) VALUES (?, ?)"
    )
    try statement.execute(arguments: [id.rawValue, body])
  }

  /// Puts a tag on a snippet; one that it carries already stays.
  func add(_ tag: String, to id: SnippetID) throws {
    try db.cachedStatement(
      sql: "INSERT INTO tag (name) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM tag WHERE name = ?1)"
    ).execute(arguments: [tag])
    try db.cachedStatement(
      sql: """
        INSERT INTO snippet_tag (snippet_id, tag_id) SELECT ?, id FROM tag WHERE name = ?
        ON CONFLICT DO NOTHING
        """
    ).execute(arguments: [id.rawValue, tag])
  }

  /// Takes a tag off a snippet.
  func remove(_ tag: String, from id: SnippetID) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM snippet_tag
        WHERE snippet_id = ? AND tag_id = (SELECT id FROM tag WHERE name = ?)
        """
    ).execute(arguments: [id.rawValue, tag])
  }
}

extension Duration {
  /// The length in whole milliseconds.
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
