import Foundation
import GRDB
import SnippetRecognition
import SnippetStorage

/// Writes salvaged snippets under their former numbers.
struct SalvageWriter {
  let db: Database
  let operation: String
  /// Replaces an unknown date.
  let now: Date
  let check: () throws -> Void

  private static let insertion = """
    INSERT INTO snippet (
      id, uuid, kind, title, preview, created_at, modified_at, deleted_at, pinned, revision,
      byte_count, media_type, text_encoding, pixel_width, pixel_height, duration_ms, sample_rate,
      channel_count, irregular, blob_id
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// Inserts a former row with its content, its number and the note of an image or voice.
  ///
  /// Throws a constraint error if the schema forbids a value of the row.
  func insert(
    _ row: SalvagedSnippet,
    _ body: PreparedSnippet.Body,
    note: String = "",
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
      row.title.databaseValue,
      // The triggers correct one that the note does not begin with.
      (byteCount == 0 || row.kind != .text && note.isEmpty ? "" : row.preview).databaseValue,
      row.createdAt.databaseValue, row.modifiedAt.databaseValue, row.deletedAt.databaseValue,
      (row.isPinned ? 1 : 0).databaseValue, revision.databaseValue, byteCount.databaseValue,
      row.mediaType.databaseValue, (blob == nil ? nil : row.encoding).databaseValue,
    ]
    values += row.facts.map(\.databaseValue)
    values.append((row.isIrregular ? 1 : 0).databaseValue)
    values.append((blob?.rawValue).databaseValue)
    try db.run(Self.insertion, values)
    let id = SnippetID(rawValue: row.id)
    if case .text(let text) = body {
      try writer.insertText(text, for: id)
    } else if !note.isEmpty {
      try writer.insertText(note, for: id)
    }
    return id
  }

  /// Adds tags to a snippet, sets its digest, and returns the tags that were refused: a damaged
  /// name may be no valid tag.
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

  /// Records the files of a snippet.
  ///
  /// A file whose damaged values the schema refuses is left out; the next import finds it again.
  func add(_ origins: [SalvagedOrigin], to id: SnippetID) throws {
    for origin in origins {
      do {
        try db.savepoint { try origin.insert(for: id, in: db) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        continue
      }
    }
  }

  // MARK: - Lost rows

  /// Returns a draft for content that has lost its row, with the title and date if they are known.
  func draft(
    _ content: SalvageSource.Content,
    title: String?,
    note: String? = nil,
    createdAt: Int64?
  ) -> SnippetDraft {
    let title = title?.foldingWhiteSpace().filter { $0 != "\0" }
    let snippetContent: SnippetContent =
      switch content {
      case .text(let text): .text(text)
      case .blob(let bytes, _): .bytes(of: bytes)
      }
    return SnippetDraft(
      snippetContent,
      title: title.map { String($0.unicodeScalars.prefix(1000)) },
      note: note,
      createdAt: createdAt.map(Date.init(milliseconds:))
    )
  }

  /// Inserts a draft, under its former number if that is known.
  func insert(
    _ draft: SnippetDraft,
    as id: Int64?
  ) throws -> SnippetID {
    let prepared = try prepare(draft)
    guard let id else { return try SnippetWriter(db: db, check: check).insert(prepared) }
    return try insert(
      SalvagedSnippet(id, prepared),
      prepared.body,
      note: prepared.note,
      revision: 1
    )
  }

  private func prepare(_ draft: SnippetDraft) throws -> PreparedSnippet {
    if let prepared = try? prepared(draft) { return prepared }
    try check()
    // Bytes of an unrecognized type are kept all the same.
    var unrecognized = draft
    unrecognized.kind = .voice
    unrecognized.mediaType = "application/octet-stream"
    return try prepared(unrecognized)
  }

  private func prepared(_ draft: SnippetDraft) throws -> PreparedSnippet {
    try StoreSeam.prepare(draft, now: now, operation: operation, check: check)
  }
}
