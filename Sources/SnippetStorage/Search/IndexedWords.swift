import GRDB

/// The words that the search index holds, to ask it for whole words instead of beginnings.
///
/// FTS5 puts together all that begins with a word before it gives the first row, which takes 12 ms
/// where a million texts hold it. Of whole words it reads what is asked for: the newest 500 of the
/// same texts take 0.1 ms (`Benchmarks --filter search --texts 1000000`).
struct IndexedWords {
  let db: Database

  /// Words that begin alike are looked up one by one, each in a twentieth of a millisecond; where
  /// there are more, the index puts them together.
  private static let maximumCount = 24
  /// Shorter beginnings than this have an index of their own.
  private static let minimumLength = 3

  /// The table of the words, with a row for each of their places.
  static let table = "temp.indexed_word"

  /// Sees to it that a connection has the table, for itself alone.
  static func define(in db: Database) throws {
    guard try db.number("SELECT 1 FROM temp.sqlite_schema WHERE name = 'indexed_word'") == nil
    else {
      return
    }
    let isQueryOnly = try db.number("PRAGMA query_only") == 1
    // What is written is no part of the file.
    try db.execute(sql: "PRAGMA query_only = OFF")
    defer { if isQueryOnly { try? db.execute(sql: "PRAGMA query_only = ON") } }
    try db.execute(
      sql: "CREATE VIRTUAL TABLE \(table) USING fts5vocab(main, search_index, instance)"
    )
  }

  /// An expression of FTS5 for what holds words in a row, the last one from its beginning on.
  ///
  /// - Parameter words: The words, as the index has them.
  /// - Returns: The expression; for the same texts as ``SearchPlan/phrase(_:)``.
  /// - Throws: What SQLite says.
  func phrase(_ words: String) throws -> String {
    let start = words.lastIndex(of: " ").map(words.index(after:)) ?? words.startIndex
    let beginning = String(words[start...])
    guard beginning.unicodeScalars.count >= Self.minimumLength,
      let whole = try self.words(from: beginning), !whole.isEmpty
    else { return SearchPlan.phrase(words) }
    let phrases = whole.map { SearchPlan.quoted(words[..<start] + $0) }
    return "(\(phrases.joined(separator: " OR ")))"
  }

  /// The words that begin in a way; `nil` where there are too many.
  private func words(from beginning: String) throws -> [String]? {
    try Self.define(in: db)
    var words: [String] = []
    var next = beginning
    while let word = try first(from: next), word.utf8.starts(with: beginning.utf8) {
      guard words.count < Self.maximumCount else { return nil }
      words.append(word)
      // The least that can follow it. To ask for what is greater would read each of its places.
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
