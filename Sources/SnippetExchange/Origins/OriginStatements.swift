import Foundation
import GRDB
import SnippetStorage
import SystemPackage

/// A file that a snippet came from or was written to, as both were when they last agreed.
struct OriginRow: Equatable, Sendable {
  /// The number of the folder.
  var folder: Int64
  /// The file, below the folder.
  var path: String
  var snippet: SnippetID
  var stamp: FileStamp
  /// The hash of the file.
  var sha256: Data
  /// The hash of the snippet's content, where the file says more; `nil` where it is the same.
  var contentSHA256: Data?
  /// What the file says, where the content does not tell.
  var note: FileNote?
  /// How many of the folders that the file is in became tags of the snippet, from the innermost on: a
  /// folder above these may come to be imported.
  var taggedFolderCount = 0
}

/// What tells a file that was changed from one that was not, without reading it.
struct FileStamp: Equatable, Sendable {
  /// Nanoseconds since 1970.
  var modifiedNanoseconds: Int64
  var byteCount: Int64
}

extension FileStamp {
  init(_ status: Stat) {
    let (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
    // Far away, a date is only compared.
    modifiedNanoseconds = seconds &* 1_000_000_000 &+ nanoseconds
    byteCount = status.size
  }

  var modifiedAt: Date {
    Date(timeIntervalSince1970: Double(modifiedNanoseconds) / 1_000_000_000)
  }
}

/// Origins, inside a transaction.
struct OriginStatements {
  let db: Database

  // MARK: - Folders

  /// The number of a folder; `nil` for one without origins.
  func folder(at path: String) throws -> Int64? {
    try db.number("SELECT id FROM origin_folder WHERE path = ?", [path.databaseValue])
  }

  /// The number of a folder, which it gets now if it has none.
  func makeFolder(at path: String) throws -> Int64 {
    if let id = try folder(at: path) { return id }
    try db.execute(sql: "INSERT INTO origin_folder (path) VALUES (?)", arguments: [path])
    return db.lastInsertedRowID
  }

  /// The number of a folder that is imported, which it gets now if it has none.
  func makeImportedFolder(at path: String) throws -> Int64 {
    // Asked for each file of an import.
    let known = try db.number(
      "SELECT id FROM origin_folder WHERE path = ? AND imported = 1",
      [path.databaseValue]
    )
    if let known { return known }
    let id = try makeFolder(at: path)
    try db.cachedStatement(
      sql: "UPDATE origin_folder SET imported = 1 WHERE id = ?"
    )
    .execute(arguments: [id])
    return id
  }

  /// The folders that were imported and that some snippet came from first.
  func sources() throws -> [(id: Int64, path: String)] {
    try db.values(
      """
      SELECT id, path FROM origin_folder
      WHERE imported = 1
        AND id IN (SELECT min(folder_id) FROM origin INDEXED BY origin_by_snippet GROUP BY snippet_id)
      ORDER BY id
      """
    ) { (try $0.number(0), try $0.text(1)) }
  }

  /// Every folder with origins.
  func folders() throws -> [(id: Int64, path: String)] {
    try db.values("SELECT id, path FROM origin_folder ORDER BY id") {
      (try $0.number(0), try $0.text(1))
    }
  }

  /// Counts the origins of a folder as those of one above it.
  ///
  /// - Parameters:
  ///   - inner: The folder.
  ///   - outer: The one above it.
  ///   - prefix: The path from there to the folder, without a slash at its end.
  /// - Throws: What SQLite says.
  func move(_ inner: Int64, into outer: Int64, below prefix: String) throws {
    try db.execute(
      sql: """
        DELETE FROM origin WHERE folder_id = ?1 AND EXISTS (
          SELECT 1 FROM origin AS other WHERE folder_id = ?2 AND other.path = ?3 || '/' || origin.path
        )
        """,
      arguments: [inner, outer, prefix]
    )
    try db.execute(
      sql: "UPDATE origin SET folder_id = ?2, path = ?3 || '/' || path WHERE folder_id = ?1",
      arguments: [inner, outer, prefix]
    )
  }

  // MARK: - Files

  private static let columns =
    "folder_id, path, snippet_id, modified_ns, byte_count, sha256, content_sha256, note, tagged_folders"

  private static func origin(_ row: StatementRow) throws -> OriginRow {
    OriginRow(
      folder: try row.number(0),
      path: try row.text(1),
      snippet: SnippetID(rawValue: try row.number(2)),
      stamp: FileStamp(modifiedNanoseconds: try row.number(3), byteCount: try row.number(4)),
      sha256: try row.bytes(5),
      contentSHA256: row.isNull(6) ? nil : try row.bytes(6),
      note: try row.optionalText(7).flatMap(FileNote.init(json:)),
      taggedFolderCount: Int(try row.number(8))
    )
  }

  /// The origin that a file is.
  func origin(_ folder: Int64, _ path: String) throws -> OriginRow? {
    try db.value(
      "SELECT \(Self.columns) FROM origin WHERE folder_id = ? AND path = ?",
      [folder.databaseValue, path.databaseValue],
      Self.origin
    )
  }

  /// The origins of a snippet, those of the folder that was first known first.
  func origins(of snippet: SnippetID) throws -> [OriginRow] {
    try db.values(
      "SELECT \(Self.columns) FROM origin WHERE snippet_id = ? ORDER BY folder_id, path",
      [snippet.rawValue.databaseValue],
      Self.origin
    )
  }

  /// Some files of a snippet in a folder, in the order of their paths.
  func paths(
    of snippet: SnippetID,
    in folder: Int64,
    after path: String,
    limit: Int
  ) throws -> [String] {
    try db.values(
      """
      SELECT path FROM origin WHERE snippet_id = ? AND folder_id = ? AND path > ?
      ORDER BY path LIMIT ?
      """,
      [
        snippet.rawValue.databaseValue, folder.databaseValue, path.databaseValue,
        limit.databaseValue,
      ]
    ) { try $0.text(0) }
  }

  /// Whether a snippet has a file in a folder besides one.
  func hasOrigin(of snippet: SnippetID, in folder: Int64, besides path: String) throws -> Bool {
    try db.number(
      """
      SELECT EXISTS (SELECT 1 FROM origin WHERE snippet_id = ? AND folder_id = ? AND path <> ?)
      """,
      [snippet.rawValue.databaseValue, folder.databaseValue, path.databaseValue]
    ) == 1
  }

  /// Some origins of a folder, in the order of their paths.
  func origins(in folder: Int64, after path: String, limit: Int) throws -> [OriginRow] {
    try db.values(
      """
      SELECT \(Self.columns) FROM origin WHERE folder_id = ? AND path > ? ORDER BY path LIMIT ?
      """,
      [folder.databaseValue, path.databaseValue, limit.databaseValue],
      Self.origin
    )
  }

  /// Whether a folder has any origin.
  func hasOrigins(in folder: Int64) throws -> Bool {
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM origin WHERE folder_id = ?)",
      [folder.databaseValue]
    ) == 1
  }

  /// Writes down that a file and a snippet agree, in the place of what was known of that file.
  func put(_ origin: OriginRow) throws {
    try db.run(
      """
      UPDATE origin SET snippet_id = ?, modified_ns = ?, byte_count = ?, sha256 = ?,
        content_sha256 = ?, note = ?, tagged_folders = ?
      WHERE folder_id = ? AND path = ?
      """,
      values(of: origin)
    )
    if db.changesCount == 0 { try insert(origin) }
  }

  /// Writes down that a file of which nothing was known and a snippet agree.
  func insert(_ origin: OriginRow) throws {
    try db.run(
      """
      INSERT INTO origin (
        snippet_id, modified_ns, byte_count, sha256, content_sha256, note, tagged_folders,
        folder_id, path
      ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      values(of: origin)
    )
  }

  private func values(of origin: OriginRow) throws -> [DatabaseValue] {
    [
      origin.snippet.rawValue.databaseValue,
      origin.stamp.modifiedNanoseconds.databaseValue,
      origin.stamp.byteCount.databaseValue,
      origin.sha256.databaseValue,
      origin.contentSHA256?.databaseValue ?? .null,
      try origin.note?.json.databaseValue ?? .null,
      origin.taggedFolderCount.databaseValue,
      origin.folder.databaseValue,
      origin.path.databaseValue,
    ]
  }

  /// Gives a file that was moved its new path.
  func move(_ origin: OriginRow, to path: String) throws {
    try db.execute(
      sql: "UPDATE origin SET path = ? WHERE folder_id = ? AND path = ?",
      arguments: [path, origin.folder, origin.path]
    )
  }

  /// Forgets a file.
  func remove(_ folder: Int64, _ path: String) throws {
    try db.execute(
      sql: "DELETE FROM origin WHERE folder_id = ? AND path = ?",
      arguments: [folder, path]
    )
  }
}
