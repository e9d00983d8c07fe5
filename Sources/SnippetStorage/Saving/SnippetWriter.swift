package import Foundation
package import GRDB
import SnippetBase
import SnippetRecognition

/// Writes rows, texts and tags inside a transaction.
package struct SnippetWriter {
  package let db: Database
  /// Throws if the result is no longer needed.
  package let check: () throws -> Void
  /// Whether the bytes of blobs are written; not in a transaction that is rolled back.
  private let keepsBytes: Bool

  /// Writes in a transaction of a connection; `check` throws once the work is cancelled.
  package init(db: Database, check: @escaping () throws -> Void = {}) {
    self.init(db: db, keepsBytes: true, check: check)
  }

  init(db: Database, keepsBytes: Bool, check: @escaping () throws -> Void) {
    self.db = db
    self.keepsBytes = keepsBytes
    self.check = check
  }

  /// Inserts a snippet with its body and tags, and with its blob unless the store has the same
  /// bytes.
  package func insert(_ snippet: PreparedSnippet) throws -> SnippetID {
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
    try statement.bind(snippet.facts.isIrregular ? 1 : 0)
    try statement.bind(snippet.digest(encoding: encoding, blob: blobID))
    try statement.execute()
    let id = SnippetID(rawValue: db.lastInsertedRowID)
    if case .text(let body) = snippet.body { try insertText(body, for: id) }
    if !snippet.note.isEmpty { try insertText(snippet.note, for: id) }
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
      irregular, digest
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// Returns the blob with these bytes, an existing one or a new one.
  ///
  /// The bytes must not have changed since they were prepared.
  package func blob(with blob: PreparedBlob) throws -> BlobID {
    let writer = BlobWriter(db: db)
    if let known = try writer.blob(withHash: blob.sha256) { return known }

    if let staged = blob.source as? StagedBytes {
      // Its chunks are already in place.
      return try StagedBlobStatements(db: db).adopt(staged, sha256: blob.sha256)
    }
    let byteCount = blob.source.byteCount
    try db.cachedStatement(
      sql: "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (?, ?, ?)"
    )
    .execute(arguments: [blob.sha256, byteCount, BlobChunks.size])
    let id = BlobID(rawValue: db.lastInsertedRowID)
    guard keepsBytes else { return id }

    var number: Int64 = 0
    try blob.forEachPiece(of: BlobChunks.size) { piece in
      try check()
      try writer.insert(piece, asChunk: number, of: id)
      number += 1
    }
    return id
  }

  /// Finds the snippet that a prepared one duplicates.
  ///
  /// With a given identity that is the snippet with this identity, otherwise one with the same
  /// content outside the trash.
  package func duplicate(of snippet: PreparedSnippet) throws -> SnippetID? {
    if snippet.isIdentified { return try self.snippet(snippet.uuid) }
    let id: Int64?
    switch snippet.body {
    case .text(let body):
      id = try db.number(
        """
        SELECT snippet_id FROM snippet_text CROSS JOIN snippet ON snippet.id = snippet_id
        WHERE deleted_at IS NULL AND kind = 1 AND \(Self.condition(thatBodyIs: "?1"))
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

  /// Finds the image or voice in the trash that has the content of a prepared one without a given
  /// identity; of several, the last that went there.
  package func trashedDuplicate(of snippet: PreparedSnippet) throws -> SnippetID? {
    guard !snippet.isIdentified, snippet.kind != .text, case .blob(let blob, _) = snippet.body
    else { return nil }
    let id = try db.number(
      """
      SELECT snippet.id FROM blob JOIN snippet ON snippet.blob_id = blob.id
      WHERE blob.sha256 = ? AND deleted_at IS NOT NULL AND kind <> 1
      ORDER BY deleted_at DESC, snippet.id DESC LIMIT 1
      """,
      [blob.sha256.databaseValue]
    )
    return id.map(SnippetID.init(rawValue:))
  }

  /// A condition that a text equals a parameter, in the terms of the index
  /// `snippet_text_by_content`.
  package static func condition(thatBodyIs parameter: String) -> String {
    // The unary plus keeps SQLite from replacing the column by the parameter in the other terms,
    // which could then not use the index.
    """
    length(CAST(body AS BLOB)) = length(CAST(\(parameter) AS BLOB))
      AND substr(body, 1, 32) = substr(\(parameter), 1, 32)
      AND substr(body, -32) = substr(\(parameter), -32) AND +body = \(parameter)
    """
  }

  /// Returns the snippet with an identity, if there is one.
  private func snippet(_ uuid: UUID) throws -> SnippetID? {
    var statement = try SteppedStatement("SELECT id FROM snippet WHERE uuid = ?", in: db)
    try statement.bind(uuid)
    return try statement.next().map { SnippetID(rawValue: try $0.number(0)) }
  }

  /// Replaces the content of a snippet by other content of the same kind.
  ///
  /// A note stays. Triggers remove a blob that is no longer used.
  package func replaceContent(of id: SnippetID, with new: PreparedSnippet) throws {
    var blobID: BlobID?
    var encoding: TextEncoding?
    if case .blob(let blob, let textEncoding) = new.body {
      blobID = try self.blob(with: blob)
      encoding = textEncoding
    }
    if new.kind == .text { try removeText(of: id) }
    try db.execute(
      sql: """
        UPDATE snippet
        SET blob_id = ?, text_encoding = ?,
          preview = CASE kind WHEN 1 THEN ? ELSE preview END, byte_count = ?, media_type = ?,
          pixel_width = ?, pixel_height = ?, duration_ms = ?, sample_rate = ?, channel_count = ?,
          irregular = ?, revision = revision + 1
        WHERE id = ?
        """,
      arguments: [
        blobID?.rawValue, encoding?.name, new.preview, new.byteCount, new.mediaType,
        new.facts.pixelWidth, new.facts.pixelHeight, new.facts.duration.map(\.milliseconds),
        new.facts.sampleRate, new.facts.channelCount, new.facts.isIrregular ? 1 : 0, id.rawValue,
      ]
    )
    if case .text(let body) = new.body { try insertText(body, for: id) }
  }

  /// Sets the playing time of every recording with a blob.
  ///
  /// The revision goes up here, or the trigger would take this for an edit of today.
  func correctDuration(of blob: BlobID, to duration: Duration) throws {
    let ids = try db.numbers(
      "SELECT id FROM snippet WHERE blob_id = ? AND kind = 3 AND duration_ms IS NOT ?",
      [blob.rawValue.databaseValue, duration.milliseconds.databaseValue]
    )
    for id in ids {
      try db.execute(
        sql: "UPDATE snippet SET duration_ms = ?, revision = revision + 1 WHERE id = ?",
        arguments: [duration.milliseconds, id]
      )
      try SnippetDigest.give(to: SnippetID(rawValue: id), in: db)
    }
  }

  /// Sets the pixel size of every image with a blob, as ``correctDuration(of:to:)`` does.
  func correctPixelSize(of blob: BlobID, width: Int, height: Int) throws {
    for id in try images(with: blob, besidesWidth: width, height: height) {
      try db.execute(
        sql: """
          UPDATE snippet SET pixel_width = ?, pixel_height = ?, revision = revision + 1 WHERE id = ?
          """,
        arguments: [width, height, id]
      )
      try SnippetDigest.give(to: SnippetID(rawValue: id), in: db)
    }
  }

  /// Returns the numbers of the images with a blob that have another pixel size, or none.
  func images(with blob: BlobID, besidesWidth width: Int, height: Int) throws -> [Int64] {
    try db.numbers(
      """
      SELECT id FROM snippet
      WHERE blob_id = ? AND kind = 2 AND (pixel_width IS NOT ? OR pixel_height IS NOT ?)
      """,
      [blob.rawValue.databaseValue, width.databaseValue, height.databaseValue]
    )
  }

  /// Replaces the note of an image or voice; an empty one is removed.
  package func replaceNote(of id: SnippetID, with note: String) throws {
    guard !note.isEmpty else { return try removeText(of: id) }
    let former = try self.note(of: id)
    guard former != note else { return }
    if former == nil {
      try insertText(note, for: id)
    } else {
      try db.cachedStatement(sql: "UPDATE snippet_text SET body = ? WHERE snippet_id = ?")
        .execute(arguments: [note, id.rawValue])
    }
    // The triggers know fewer blanks and no characters.
    try db.cachedStatement(
      sql: """
        UPDATE snippet SET preview = ?1, revision = revision + 1 WHERE id = ?2 AND preview <> ?1
        """
    ).execute(arguments: [TextPreview(of: note).preview, id.rawValue])
  }

  /// Returns the note of an image or voice; `nil` if it has none.
  package func note(of id: SnippetID) throws -> String? {
    try db.value(
      "SELECT body FROM snippet_text WHERE snippet_id = ?",
      [id.rawValue.databaseValue]
    ) { try $0.text(0) }
  }

  private func removeText(of id: SnippetID) throws {
    try db.cachedStatement(sql: "DELETE FROM snippet_text WHERE snippet_id = ?")
      .execute(arguments: [id.rawValue])
  }

  /// Inserts the body of a text snippet, or a note.
  package func insertText(_ body: String, for id: SnippetID) throws {
    var statement = try SteppedStatement(
      "INSERT INTO snippet_text (snippet_id, body) VALUES (?, ?)",
      in: db,
      writes: true
    )
    try statement.bind(id.rawValue)
    try statement.bind(body)
    try statement.execute()
  }

  /// Adds a tag to a snippet, unless it already has the tag.
  package func add(_ tag: String, to id: SnippetID) throws {
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

  /// Removes a tag from a snippet.
  package func remove(_ tag: String, from id: SnippetID) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM snippet_tag
        WHERE snippet_id = ? AND tag_id = (SELECT id FROM tag WHERE name = ?)
        """
    ).execute(arguments: [id.rawValue, tag])
  }

  /// Moves a snippet to the trash; returns whether it was outside.
  @discardableResult
  package func moveToTrash(_ id: SnippetID, at date: Date) throws -> Bool {
    try db.cachedStatement(
      sql: """
        UPDATE snippet SET deleted_at = ?, revision = revision + 1
        WHERE id = ? AND deleted_at IS NULL
        """
    ).execute(arguments: [date.milliseconds, id.rawValue])
    return db.changesCount > 0
  }

  /// Brings snippets back from the trash, and returns those that were there.
  func bringBack(_ ids: [SnippetID]) throws -> [SnippetID] { try ids.filter { try bringBack($0) } }

  /// Brings a snippet back from the trash; returns whether it was there.
  package func bringBack(_ id: SnippetID) throws -> Bool {
    try db.cachedStatement(
      sql: """
        UPDATE snippet SET deleted_at = NULL, revision = revision + 1
        WHERE id = ? AND deleted_at IS NOT NULL
        """
    ).execute(arguments: [id.rawValue])
    return db.changesCount > 0
  }
}
