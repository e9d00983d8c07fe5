import Foundation
import GRDB
import SnippetRecognition

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
    var statement = try SteppedStatement(Self.insertion, in: db, writes: true)
    try statement.bind(row.id)
    try statement.bind(row.uuid)
    try statement.bind((row.kind?.rawValue).map(Int64.init))
    try statement.bind(row.title)
    try statement.bind(byteCount == 0 ? "" : row.preview)
    try statement.bind(row.createdAt)
    try statement.bind(row.modifiedAt)
    try statement.bind(row.deletedAt)
    try statement.bind(row.isPinned ? 1 : 0)
    try statement.bind(revision)
    try statement.bind(byteCount)
    try statement.bind(row.mediaType)
    try statement.bind(blob == nil ? nil : row.encoding)
    for fact in row.facts { try statement.bind(fact) }
    try statement.bind(blob?.rawValue)
    try statement.execute()
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
  func add(
    _ origins: [(folder: String, isImported: Bool, origin: Origin)],
    to id: SnippetID
  ) throws {
    let statements = OriginStatements(db: db)
    for (folder, isImported, origin) in origins {
      do {
        try db.savepoint {
          var origin = origin
          origin.folder =
            isImported
            ? try statements.makeImportedFolder(at: folder) : try statements.makeFolder(at: folder)
          origin.snippet = id
          try statements.insert(origin)
        }
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
      case .blob(let bytes, _): SnippetContent(source: .collected(bytes))
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
    let preparation = DraftPreparation(now: now, operation: operation, check: check)
    if let prepared = try? preparation.prepare(draft) { return prepared }
    try check()
    // Bytes that nothing recognizes are worth keeping all the same.
    var unrecognized = draft
    unrecognized.kind = .voice
    unrecognized.mediaType = "application/octet-stream"
    return try preparation.prepare(unrecognized)
  }
}
