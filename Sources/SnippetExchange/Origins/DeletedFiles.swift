import Foundation
import GRDB
import SnippetStorage

/// The files in imported folders whose snippets were deleted for good.
///
/// The store notes them when it deletes, and forgets those that are imported again. A purge leaves
/// none.
struct DeletedFiles {
  let db: Database

  /// A file in the state in which its snippet was deleted.
  struct File {
    let path: String
    let snippet: SnippetID
    let sha256: Data
  }

  /// Returns some files below a folder, given with a trailing slash, in the order of their paths.
  func files(below folder: String, after path: String, limit: Int) throws -> [File] {
    try db.values(
      """
      SELECT path, snippet_id, sha256 FROM deleted_file
      WHERE path > ? AND path < ? ORDER BY path LIMIT ?
      """,
      // A zero comes after a slash.
      [max(path, folder).databaseValue, "\(folder.dropLast())0".databaseValue, limit.databaseValue]
    ) { row in
      File(
        path: try row.text(0),
        snippet: SnippetID(rawValue: try row.number(1)),
        sha256: try row.bytes(2)
      )
    }
  }

  /// Forgets files.
  func forget(_ paths: [String]) throws {
    for path in paths {
      try db.run("DELETE FROM deleted_file WHERE path = ?", [path.databaseValue])
    }
  }
}
