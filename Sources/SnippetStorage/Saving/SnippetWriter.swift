import Foundation
import GRDB
import SnippetBase

/// Writes rows, texts and tags inside a transaction.
struct SnippetWriter {
  let db: Database
  /// Throws when the caller no longer waits for the result.
  var check: () throws -> Void = {}

  /// Inserts a snippet with its body and tags, and its blob unless the store has the same bytes.
  func insert(_ snippet: PreparedSnippet) throws -> SnippetID {
    if snippet.isIdentified, try self.snippet(snippet.uuid) != nil {
      throw IdentityInUse(uuid: snippet.uuid)
    }
    var blobID: BlobID?
    var encoding: TextEncoding?
    if case .blob(let blob, let textEncoding) = snippet.body {
      blobID = try self.blob(with: blob)
      encoding = textEncoding
    }
    var statement = try SteppedStatement(Self.insertion, in: db, writes: true)
    try statement.bind(snippet.uuid)
    try statement.bind(Int64(snippet.kind.rawValue))
    try statement.bind(snippet.title)
    try statement.bind(snippet.preview)
    try statement.bind(snippet.createdAt.milliseconds)
    try statement.bind(snippet.modifiedAt.milliseconds)
    try statement.bind(snippet.isPinned ? 1 : 0)
    try statement.bind(snippet.byteCount)
    try statement.bind(snippet.mediaType)
    try statement.bind(encoding?.name)
    try statement.bind(snippet.facts.pixelWidth.map(Int64.init))
    try statement.bind(snippet.facts.pixelHeight.map(Int64.init))
    try statement.bind(snippet.facts.duration.map(\.milliseconds))
    try statement.bind(blobID?.rawValue)
    try statement.bind(snippet.facts.sampleRate.map(Int64.init))
    try statement.bind(snippet.facts.channelCount.map(Int64.init))
    try statement.bind(snippet.digest(encoding: encoding, blob: blobID))
    try statement.execute()
    let id = SnippetID(rawValue: db.lastInsertedRowID)
    if case .text(let body) = snippet.body { try insertText(body, for: id) }
    for tag in snippet.tags { try add(tag, to: id) }
    return id
  }

  /// Inserts a snippet as ``insert(_:)`` does, and returns its row.
  func insertRow(_ snippet: PreparedSnippet) throws -> SnippetRow {
    let id = try insert(snippet)
    guard let row = try SnippetRowQuery.row(id, in: db) else {
      throw DatabaseError.damage("a new row cannot be found")
    }
    return row
  }

  private static let insertion = """
    INSERT INTO snippet (
      uuid, kind, title, preview, created_at, modified_at, pinned, byte_count, media_type,
      text_encoding, pixel_width, pixel_height, duration_ms, blob_id, sample_rate, channel_count,
      digest
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// The blob with these bytes: the one that the store has, or a new one.
  ///
  /// The bytes must still be those that were prepared.
  func blob(with blob: PreparedBlob) throws -> BlobID {
    let writer = BlobWriter(db: db)
    if let known = try writer.blob(withHash: blob.sha256) { return known }

    if let staged = blob.source as? StagedBytes {
      // Its chunks are in their place already.
      return try StagedBlobStatements(db: db).adopt(staged, sha256: blob.sha256)
    }
    let byteCount = blob.source.byteCount
    try db.cachedStatement(
      sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (?, ?, ?)"
    )
    .execute(arguments: [blob.sha256, byteCount, BlobChunks.size])
    let id = BlobID(rawValue: db.lastInsertedRowID)

    var number: Int64 = 0
    try blob.forEachPiece(of: BlobChunks.size) { piece in
      try check()
      try writer.insert(piece, asChunk: number, of: id)
      number += 1
    }
    return id
  }

  /// Finds the snippet that a prepared one is already: the one with its identity where it has been
  /// given one; else one with the same content outside of the trash, where nobody would see it.
  func duplicate(of snippet: PreparedSnippet) throws -> SnippetID? {
    if snippet.isIdentified { return try self.snippet(snippet.uuid) }
    let id: Int64?
    switch snippet.body {
    case .text(let body):
      id = try db.number(
        """
        SELECT snippet_id FROM snippet_text CROSS JOIN snippet ON snippet.id = snippet_id
        WHERE deleted_at IS NULL AND \(Self.condition(thatBodyIs: "?1"))
        LIMIT 1
        """,
        [body.databaseValue]
      )
    case .blob(let blob, _):
      id = try db.number(
        """
        SELECT snippet.id FROM blob JOIN snippet ON snippet.blob_id = blob.id
        WHERE blob.sha256 = ? AND deleted_at IS NULL LIMIT 1
        """,
        [blob.sha256.databaseValue]
      )
    }
    return id.map(SnippetID.init(rawValue:))
  }

  /// That a text says what a parameter does, in the terms of the index `snippet_text_by_content`.
  static func condition(thatBodyIs parameter: String) -> String {
    // The unary plus keeps SQLite from putting the parameter in place of the column in the other
    // terms, which would make them useless for the index.
    """
    length(CAST(body AS BLOB)) = length(CAST(\(parameter) AS BLOB))
      AND substr(body, 1, 32) = substr(\(parameter), 1, 32)
      AND substr(body, -32) = substr(\(parameter), -32) AND +body = \(parameter)
    """
  }

  /// The snippet with an identity, if there is one.
  private func snippet(_ uuid: UUID) throws -> SnippetID? {
    var statement = try SteppedStatement("SELECT id FROM snippet WHERE uuid = ?", in: db)
    try statement.bind(uuid)
    return try statement.next().map { SnippetID(rawValue: try $0.number(0)) }
  }

  /// Replaces the content of a snippet by other of its kind; the triggers remove a blob that nothing
  /// uses any more.
  func replaceContent(of id: SnippetID, with new: PreparedSnippet) throws {
    var blobID: BlobID?
    var encoding: TextEncoding?
    if case .blob(let blob, let textEncoding) = new.body {
      blobID = try self.blob(with: blob)
      encoding = textEncoding
    }
    try db.execute(sql: "DELETE FROM snippet_text WHERE snippet_id = ?", arguments: [id.rawValue])
    try db.execute(
      sql: """
        UPDATE snippet
        SET blob_id = ?, text_encoding = ?, preview = ?, byte_count = ?, media_type = ?,
          pixel_width = ?, pixel_height = ?, duration_ms = ?, sample_rate = ?, channel_count = ?,
          revision = revision + 1
        WHERE id = ?
        """,
      arguments: [
        blobID?.rawValue, encoding?.name, new.preview, new.byteCount, new.mediaType,
        new.facts.pixelWidth, new.facts.pixelHeight, new.facts.duration.map(\.milliseconds),
        new.facts.sampleRate, new.facts.channelCount, id.rawValue,
      ]
    )
    if case .text(let body) = new.body { try insertText(body, for: id) }
  }

  /// Gives a text snippet its body.
  func insertText(_ body: String, for id: SnippetID) throws {
    var statement = try SteppedStatement(
      "INSERT INTO snippet_text (snippet_id, body) VALUES (?, ?)",
      in: db,
      writes: true
    )
    try statement.bind(id.rawValue)
    try statement.bind(body)
    try statement.execute()
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
