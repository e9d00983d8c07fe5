import Foundation
import GRDB
import SnippetStorage

/// A file that a snippet of a damaged store had, as it was recorded.
struct SalvagedOrigin {
  /// The path of the folder.
  let folder: String
  let isImported: Bool
  /// The columns of the origin, except for its folder and its snippet.
  private let values: [DatabaseValue]

  static let select = """
    SELECT origin_folder.path, origin.path, modified_ns, byte_count, sha256, content_sha256,
      imported, note, tagged_folders
    FROM origin JOIN origin_folder ON origin_folder.id = folder_id WHERE snippet_id = ?
    """

  /// Reads a row of ``select``.
  init(_ row: StatementRow) throws {
    folder = try row.text(0)
    isImported = try row.number(6) == 1
    values = [
      try row.text(1).databaseValue, try row.number(2).databaseValue,
      try row.number(3).databaseValue, try row.bytes(4).databaseValue,
      row.isNull(5) ? .null : try row.bytes(5).databaseValue,
      // Damage can turn the metadata of a note into any text.
      try row.optionalText(7).flatMap { Self.isObject($0) ? $0 : nil }.databaseValue,
      try row.number(8).databaseValue,
    ]
  }

  private static func isObject(_ json: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(json.utf8))) is [String: Any]
  }

  /// Records it in a new store, with its folder.
  func insert(for snippet: SnippetID, in db: Database) throws {
    let folder = try folderID(in: db)
    try db.run(
      """
      INSERT INTO origin (
        folder_id, snippet_id, path, modified_ns, byte_count, sha256, content_sha256, note,
        tagged_folders
      ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [folder.databaseValue, snippet.rawValue.databaseValue] + values
    )
  }

  private func folderID(in db: Database) throws -> Int64 {
    let known = try db.number(
      "SELECT id FROM origin_folder WHERE path = ?",
      [folder.databaseValue]
    )
    if known == nil {
      try db.run("INSERT INTO origin_folder (path) VALUES (?)", [folder.databaseValue])
    }
    let id = known ?? db.lastInsertedRowID
    if isImported {
      try db.run(
        "UPDATE origin_folder SET imported = 1 WHERE id = ? AND imported = 0",
        [id.databaseValue]
      )
    }
    return id
  }
}
