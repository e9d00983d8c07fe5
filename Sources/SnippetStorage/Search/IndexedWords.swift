import GRDB

/// The words in the search index, so that a query can name whole words instead of prefixes.
///
/// For a prefix, FTS5 merges all words that begin with it before it returns the first row: 12 ms if
/// a million texts contain it. For whole words it reads only the requested rows; the newest 500 of
/// the same texts take 0.1 ms (`Benchmarks --filter search --texts 1000000`).
struct IndexedWords {
  let db: Database

  /// Words with a common prefix are looked up one by one, in a twentieth of a millisecond each.
  ///
  /// If there are more than this, the index merges them.
  private static let maximumCount = 24
  /// Shorter prefixes have an index of their own.
  private static let minimumLength = 3

  /// The table of words, with a row for each occurrence.
  static let table = "temp.indexed_word"

  /// Creates the temporary table in a connection unless it exists.
  static func define(in db: Database) throws {
    guard try db.number("SELECT 1 FROM temp.sqlite_schema WHERE name = 'indexed_word'") == nil
    else {
      return
    }
    let isQueryOnly = try db.number("PRAGMA query_only") == 1
    // Temporary tables are not part of the file.
    try db.execute(sql: "PRAGMA query_only = OFF")
    defer { if isQueryOnly { try? db.execute(sql: "PRAGMA query_only = ON") } }
    try db.execute(
      sql: "CREATE VIRTUAL TABLE \(table) USING fts5vocab(main, search_index, instance)"
    )
  }

  /// Returns an FTS5 expression for consecutive words of the index, the last of them a prefix.
  ///
  /// It matches the same texts as ``SearchPlan/phrase(_:)``.
  func phrase(_ words: String) throws -> String {
    let start = words.lastIndex(of: " ").map(words.index(after:)) ?? words.startIndex
    let beginning = String(words[start...])
    guard beginning.unicodeScalars.count >= Self.minimumLength,
      let whole = try self.words(from: beginning), !whole.isEmpty
    else { return SearchPlan.phrase(words) }
    let phrases = whole.map { SearchPlan.quoted(words[..<start] + $0) }
    return "(\(phrases.joined(separator: " OR ")))"
  }

  /// Returns the words with a prefix; `nil` if there are too many.
  private func words(from beginning: String) throws -> [String]? {
    try Self.define(in: db)
    var words: [String] = []
    var next = beginning
    while let word = try first(from: next), word.utf8.starts(with: beginning.utf8) {
      guard words.count < Self.maximumCount else { return nil }
      words.append(word)
      // The least word that can follow. `term > ?` would read every occurrence of this one.
      next = word + "\u{1}"
    }
    return words
  }

  private func first(from word: String) throws -> String? {
    try db.value("SELECT term FROM \(Self.table) WHERE term >= ? LIMIT 1", [word.databaseValue]) {
      try $0.text(0)
    }
  }
}
