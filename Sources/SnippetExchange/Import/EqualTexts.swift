import Foundation
import GRDB
import SnippetStorage

/// Finds texts without a file in a folder that equal one of its files, or that have an equal file
/// elsewhere.
///
/// Each is found once.
///
/// A text that was looked at is never looked at again, so many equal files in a folder take no
/// longer than different ones.
struct EqualTexts {
  /// A text, with the origin of its file elsewhere if that has properties that the text does not.
  typealias Found = (id: SnippetID, origin: OriginRow?)

  /// The last texts looked at, for one hash.
  private struct Last {
    var bySaying: Int64 = 0
    var byFile: Int64 = 0
  }

  /// The last texts, by the hash of the file.
  private var last: [Data: Last] = [:]

  /// Finds the next text that equals a file with a hash of its bytes.
  ///
  /// The text that is found must get a file in the folder in this transaction, and so must a new
  /// one if none is found. Takes O(log *n*) amortized.
  mutating func next(
    equalTo snippet: PreparedSnippet,
    _ sha256: Data,
    besidesThoseIn folder: Int64,
    in db: Database
  ) throws -> Found? {
    if let id = try text(saying: snippet.body, sha256, besidesThoseIn: folder, in: db) {
      return (id, nil)
    }
    guard let id = try text(withFile: sha256, besidesThoseIn: folder, in: db) else { return nil }
    let origins = try OriginStatements(db: db).origins(of: id)
    return (id, origins.first { $0.sha256 == sha256 && $0.contentSHA256 != nil })
  }

  private mutating func text(
    saying body: PreparedSnippet.Body,
    _ sha256: Data,
    besidesThoseIn folder: Int64,
    in db: Database
  ) throws -> SnippetID? {
    let content: DatabaseValue =
      switch body {
      case .text(let body): body.databaseValue
      case .blob(let blob, _): blob.sha256.databaseValue
      }
    return try Self.free(
      Self.query(body),
      [folder.databaseValue, (last[sha256]?.bySaying ?? 0).databaseValue, content],
      in: db
    ) { last[sha256, default: Last()].bySaying = $0 }
  }

  private mutating func text(
    withFile sha256: Data,
    besidesThoseIn folder: Int64,
    in db: Database
  ) throws -> SnippetID? {
    try Self.free(
      """
      SELECT snippet_id, \(Self.isFree)
      FROM origin INDEXED BY origin_by_file CROSS JOIN snippet ON snippet.id = snippet_id
      WHERE snippet_id > ?2 AND sha256 = ?3 AND content_sha256 IS NOT NULL
      ORDER BY snippet_id
      """,
      [
        folder.databaseValue, (last[sha256]?.byFile ?? 0).databaseValue, sha256.databaseValue,
      ],
      in: db
    ) { last[sha256, default: Last()].byFile = $0 }
  }

  /// Returns the first result without a file in the folder.
  private static func free(
    _ sql: String,
    _ arguments: [DatabaseValue],
    in db: Database,
    note: (Int64) -> Void
  ) throws -> SnippetID? {
    var found: SnippetID?
    try db.forEachRow(sql, arguments) { row in
      let id = try row.number(0)
      note(id)
      if try row.number(1) == 1 { found = SnippetID(rawValue: id) }
      return found == nil
    }
    return found
  }

  /// Starts again after the results were rolled back.
  mutating func startAgain() {
    last = [:]
  }

  private static let isFree = """
    deleted_at IS NULL AND kind = 1
      AND NOT EXISTS (
        SELECT 1 FROM origin AS own WHERE own.snippet_id = snippet.id AND own.folder_id = ?1
      )
    """

  private static func query(_ body: PreparedSnippet.Body) -> String {
    switch body {
    case .text:
      """
      SELECT snippet_id, \(isFree)
      FROM snippet_text INDEXED BY snippet_text_by_content
        CROSS JOIN snippet ON snippet.id = snippet_id
      WHERE snippet_id > ?2 AND \(SnippetWriter.condition(thatBodyIs: "?3"))
      ORDER BY snippet_id
      """
    case .blob:
      """
      SELECT snippet.id, \(isFree)
      FROM blob CROSS JOIN snippet INDEXED BY snippet_by_blob ON snippet.blob_id = blob.id
      WHERE blob.sha256 = ?3 AND snippet.id > ?2
      ORDER BY snippet.id
      """
    }
  }
}
