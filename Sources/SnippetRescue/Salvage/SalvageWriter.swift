import Foundation
import GRDB
import SnippetRecognition
import SnippetStorage

/// Writes salvaged snippets under the numbers that they had.
struct SalvageWriter {
  let db: Database
  let operation: String
  /// Stands for a date that nobody knows.
  let now: Date
  let check: () throws -> Void

  private static let insertion = """
    INSERT INTO snippet (
      id, uuid, kind, title, preview, created_at, modified_at, deleted_at, pinned, revision,
      byte_count, media_type, text_encoding, pixel_width, pixel_height, duration_ms, sample_rate,
      channel_count, blob_id
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// Inserts a row as it was, with its content.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - body: The content.
  ///   - revision: Its revision.
  /// - Returns: Its number, as before.
  /// - Throws: What SQLite says; a constraint where the row holds what the schema forbids.
  func insert(
    _ row: SalvagedSnippet,
    _ body: PreparedSnippet.Body,
    revision: Int64
  ) throws -> SnippetID {
    let writer = SnippetWriter(db: db, check: check)
    var (blob, byteCount) = (BlobID?.none, Int64(0))
    switch body {
    case .text(let text): byteCount = Int64(text.utf8.count)
    case .blob(let bytes, _):
      blob = try writer.blob(with: bytes)
      byteCount = bytes.source.byteCount
    }
    var values: [DatabaseValue] = [
      row.id.databaseValue, row.uuid.databaseValue, (row.kind?.rawValue).databaseValue,
      row.title.databaseValue, (byteCount == 0 ? "" : row.preview).databaseValue,
      row.createdAt.databaseValue, row.modifiedAt.databaseValue, row.deletedAt.databaseValue,
      (row.isPinned ? 1 : 0).databaseValue, revision.databaseValue, byteCount.databaseValue,
      row.mediaType.databaseValue, (blob == nil ? nil : row.encoding).databaseValue,
    ]
    values += row.facts.map(\.databaseValue)
    values.append((blob?.rawValue).databaseValue)
    try db.run(Self.insertion, values)
    let id = SnippetID(rawValue: row.id)
    if case .text(let text) = body { try writer.insertText(text, for: id) }
    return id
  }

  /// Puts tags on a snippet, and gives it its digest.
  ///
  /// - Returns: Those that were refused: a damaged name can be none that a tag may have.
  func add(_ tags: [String], to id: SnippetID) throws -> [String] {
    let writer = SnippetWriter(db: db)
    var refused: [String] = []
    for tag in tags {
      do {
        try db.savepoint { try writer.add(tag, to: id) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        refused.append(tag)
      }
    }
    try SnippetDigest.give(to: id, in: db)
    return refused
  }

  /// Writes down the files of a snippet; one that the schema refuses for its damage is left out,
  /// and an import finds its file anew.
  func add(_ origins: [SalvagedOrigin], to id: SnippetID) throws {
    for origin in origins {
      do {
        try db.savepoint { try origin.insert(for: id, in: db) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        continue
      }
    }
  }

  // MARK: - Rows that are gone

  /// What can be told of a snippet by its content, with a title and a date that are known.
  func draft(_ content: SalvageSource.Content, title: String?, createdAt: Int64?) -> SnippetDraft {
    let title = title?.foldingWhiteSpace().filter { $0 != "\0" }
    let snippetContent: SnippetContent =
      switch content {
      case .text(let text): .text(text)
      case .blob(let bytes, _): .bytes(of: bytes)
      }
    return SnippetDraft(
      snippetContent,
      title: title.map { String($0.unicodeScalars.prefix(1000)) },
      createdAt: createdAt.map(Date.init(milliseconds:))
    )
  }

  /// Inserts a draft, under a number that it had.
  func insert(
    _ draft: SnippetDraft,
    as id: Int64?
  ) throws -> SnippetID {
    let prepared = try prepare(draft)
    guard let id else { return try SnippetWriter(db: db, check: check).insert(prepared) }
    return try insert(SalvagedSnippet(id, prepared), prepared.body, revision: 1)
  }

  private func prepare(_ draft: SnippetDraft) throws -> PreparedSnippet {
    if let prepared = try? prepared(draft) { return prepared }
    try check()
    // Bytes that nothing recognizes are worth keeping all the same.
    var unrecognized = draft
    unrecognized.kind = .voice
    unrecognized.mediaType = "application/octet-stream"
    return try prepared(unrecognized)
  }

  private func prepared(_ draft: SnippetDraft) throws -> PreparedSnippet {
    try StoreSeam.prepare(draft, now: now, operation: operation, check: check)
  }
}
