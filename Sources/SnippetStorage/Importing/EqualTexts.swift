import Foundation
import GRDB

/// Texts that have no file in a folder and say the same as one of its files, each once.
///
/// The texts that were looked at are never looked at again, so that a folder with many equal files
/// takes no longer than others.
struct EqualTexts {
  /// The last text that was looked at, by the hash of what it says; of those that the store has.
  private var last: [Data: Int64] = [:]

  /// Finds the next text in the list that says the same as a prepared one.
  ///
  /// - Parameters:
  ///   - snippet: The prepared one.
  ///   - sha256: The hash of its bytes.
  ///   - folder: The folder of origins.
  ///   - db: A transaction. The text that is found gets a file in it; so does a new one, where none
  ///     is.
  /// - Returns: The text; `nil` when there is none.
  /// - Throws: What SQLite says.
  /// - Complexity: O(log *n*) amortized.
  mutating func next(
    equalTo snippet: PreparedSnippet,
    _ sha256: Data,
    besidesThoseIn folder: Int64,
    in db: Database
  ) throws -> SnippetID? {
    var statement = try SteppedStatement(Self.query(snippet.body), in: db)
    try statement.bind(folder)
    try statement.bind(last[sha256] ?? 0)
    switch snippet.body {
    case .text(let body): try statement.bind(body)
    case .blob(let blob, _): try statement.bind(blob.sha256)
    }
    while let row = try statement.next() {
      let id = try row.number(0)
      last[sha256] = id
      if try row.number(1) == 1 { return SnippetID(rawValue: id) }
    }
    return nil
  }

  /// What was found came to nothing.
  mutating func startAgain() {
    last = [:]
  }

  private static func query(_ body: PreparedSnippet.Body) -> String {
    let isFree = """
      deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM origin WHERE snippet_id = snippet.id AND folder_id = ?1)
      """
    return switch body {
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
