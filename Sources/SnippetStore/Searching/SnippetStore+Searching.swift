import Foundation
import GRDB

extension SnippetStore {
  /// Finds snippets that hold every word of a query, the newest first.
  ///
  /// A word is found anywhere in the title, the tags or the text, also inside another word,
  /// without regard to case, accents and width. Every text is looked at, so the time grows with
  /// the store.
  ///
  /// - Parameters:
  ///   - query: Words between blanks; nothing in them has a special meaning. Without a word,
  ///     nothing is found.
  ///   - filter: Which snippets to look at; all by default.
  ///   - limit: The most rows to return; 100 by default.
  /// - Returns: The rows found.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was.
  /// - Complexity: O(*n*) in the size of all the texts.
  public func search(
    _ query: String,
    in filter: SnippetFilter = .all,
    limit: Int = 100
  ) async throws(SnippetStoreError) -> [SnippetRow] {
    let search = TextSearch(query)
    guard !search.words.isEmpty, limit > 0 else { return [] }
    let list = ListQuery(filter: filter, order: .newestFirst)
    return try await connections.read(.scans, to: "search") { db in
      var rows = try list.rows(in: db)
      var found: [SnippetRow] = []
      while found.count < limit, let row = try rows.next() {
        let row = try SnippetRowQuery.row(from: row)
        if try search.matches(row, in: db) { found.append(row) }
      }
      return found
    }
  }
}

/// The words of a query, ready to be compared.
private struct TextSearch: Sendable {
  let words: [String]

  init(_ query: String) {
    words = query.split(whereSeparator: \.isWhitespace).map { Self.folded(String($0)) }
  }

  func matches(_ row: SnippetRow, in db: Database) throws -> Bool {
    var missing = words
    func look(in text: String) -> Bool {
      let text = Self.folded(text)
      missing.removeAll { text.contains($0) }
      return missing.isEmpty
    }
    if look(in: row.title) { return true }
    for tag in row.tags where look(in: tag) { return true }
    guard row.kind == .text else { return false }
    return look(in: try body(of: row, in: db))
  }

  private func body(of row: SnippetRow, in db: Database) throws -> String {
    guard let blob = row.blobID else {
      let statement = try db.cachedStatement(
        sql: "SELECT CAST(body AS BLOB) FROM snippet_text WHERE snippet_id = ?"
      )
      // As bytes: a text that somebody else wrote may hold NUL, which ends a text of C.
      return TextEncoding.utf8.decode(
        try Data.fetchOne(statement, arguments: [row.id.rawValue]) ?? Data()
      )
    }
    guard let layout = try BlobReader.layout(of: blob, in: db) else { return "" }
    let name = try String.fetchOne(
      db.cachedStatement(sql: "SELECT text_encoding FROM snippet WHERE id = ?"),
      arguments: [row.id.rawValue]
    )
    let data = try BlobReader.bytes(of: blob, layout: layout, in: 0..<layout.byteCount, db)
    return (name.flatMap(TextEncoding.init(name:)) ?? .utf8).decode(data)
  }

  private static func folded(_ text: String) -> String {
    // Composed first: narrow kana have their marks as characters of their own, ｶﾞ for ガ.
    text.precomposedStringWithCompatibilityMapping.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      locale: nil
    )
  }
}
