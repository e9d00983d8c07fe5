import Foundation
import GRDB
import SnippetBase

/// The words in the names of a snippet's files, without the folders; an ending is a word too.
///
/// They are in no index: a file can be renamed or forgotten without a change of its snippet, which
/// is all that the search index follows. So they are compared in each search, as texts are for a
/// term inside a word.
struct FileNameWords: Sendable {
  /// Each word with a blank before it.
  private let words: String

  private init(paths: [String]) {
    words = " " + SearchText(apart: paths.map { String($0.fileName) }).words
  }

  /// Reads the names of one snippet's files.
  init(_ id: SnippetID, in db: Database) throws {
    self.init(
      paths: try db.values(
        "SELECT path FROM origin WHERE snippet_id = ?",
        [id.rawValue.databaseValue]
      ) { try $0.text(0) }
    )
  }

  /// Whether a term is there from the beginning of a word on.
  ///
  /// Inside a word it is none: people remember how a name begins, and endings and numbers would
  /// match nearly everything.
  func hold(_ term: QueryExpression.Term) -> Bool {
    guard term.field == nil else { return false }
    return words.withCString { mine in
      " \(term.folded.words)".withCString { strstr(mine, $0) != nil }
    }
  }

  /// Reads the names of the files of every snippet in a list, the snippets saved last first.
  ///
  /// The index that is walked has the paths, in the order of the snippets.
  static func forEach(
    in source: ListSource,
    of db: Database,
    _ body: (Int64, FileNameWords) throws -> Void
  ) throws {
    let conditions = [source.place] + source.others
    // The inner query hides the columns that files and snippets have in common.
    var rows = try db.stepped(
      """
      SELECT named_id, path
      FROM (SELECT snippet_id AS named_id, path FROM origin INDEXED BY origin_by_snippet)
      CROSS JOIN snippet ON snippet.id = named_id
      WHERE \(conditions.map(\.sql).joined(separator: " AND ")) ORDER BY named_id DESC
      """,
      conditions.flatMap(\.arguments)
    )
    var (current, paths): (Int64?, [String]) = (nil, [])
    while let row = try rows.next() {
      let id = try row.number(0)
      if let current, current != id {
        try body(current, FileNameWords(paths: paths))
        paths.removeAll(keepingCapacity: true)
      }
      current = id
      paths.append(try row.text(1))
    }
    if let current { try body(current, FileNameWords(paths: paths)) }
  }
}
