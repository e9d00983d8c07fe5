import GRDB

extension SearchIndex {
  /// Compares the index with the snippets without writing, and returns the problems as sentences
  /// without a full stop.
  ///
  /// The `integrity-check` of FTS5 takes the write lock, so it cannot run on a file opened for
  /// reading. This checks three things instead: the index has every snippet that it claims to have,
  /// it has their present words, and each word can be found at its place. The prefix indexes for
  /// one and two letters are not checked.
  ///
  /// Snippets that the index is known to lack are not a problem, nor is an index made by other
  /// rules.
  static func problems(
    in db: Database,
    check: () throws -> Void,
    limit: Int
  ) throws -> [String] {
    var comparison = SearchIndexCheck(limit: limit)
    do {
      try comparison.run(in: db, check)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      comparison.add("the search index cannot be read: \(error.message ?? "")")
    }
    return comparison.problems
  }
}

/// A comparison of the index with the snippets.
private struct SearchIndexCheck {
  private(set) var problems: [String] = []
  private let limit: Int
  /// The words in the rows and the words found through the index, each with its place.
  private var (standing, found) = (WordSum(), WordSum())

  /// The number of rows between two calls of `check`.
  private static let stride = 64

  init(limit: Int) {
    self.limit = limit
  }

  private var isFull: Bool { problems.count >= limit }

  mutating func add(_ problem: String) {
    if !isFull { problems.append(problem) }
  }

  mutating func run(in db: Database, _ check: () throws -> Void) throws {
    let backlog = try SearchIndex.backlog(in: db)
    if !backlog.isUnknown { try findMissing(backlog, in: db, check) }
    try compareRows(backlog, in: db, check)
    try collectWords(in: db, check)
    if standing != found { add("the search index does not find every word where it stands") }
  }

  // MARK: - Parts

  private mutating func findMissing(
    _ backlog: SearchIndex.Backlog,
    in db: Database,
    _ check: () throws -> Void
  ) throws {
    var missing = try db.stepped(
      """
      SELECT id FROM snippet
      WHERE deleted_at IS NULL AND id < ?
        AND NOT (
          EXISTS (SELECT 1 FROM search_index_docsize AS size WHERE size.id = snippet.id)
          AND EXISTS (SELECT 1 FROM search_index_content AS content WHERE content.id = snippet.id)
        )
      ORDER BY id
      """,
      [(backlog.unindexedFrom ?? .max).databaseValue]
    )
    try check()
    while !isFull, let id = try missing.next()?.number(0) {
      if !backlog.changed.contains(id) { add("snippet \(id) is missing in the search index") }
    }
  }

  private mutating func compareRows(
    _ backlog: SearchIndex.Backlog,
    in db: Database,
    _ check: () throws -> Void
  ) throws {
    var rows = try SteppedStatement(
      "SELECT id, c0, c1, c2 FROM search_index_content ORDER BY id",
      in: db
    )
    var count = 0
    while let row = try rows.next() {
      if count % Self.stride == 0 { try check() }
      count += 1
      let id = try row.number(0)
      for column in 0..<3 {
        try row.withText(Int32(column) + 1) { standing.add($0, of: id, column) }
      }
      guard !backlog.isUnknown, backlog.isIndexed(id), !isFull else { continue }
      try compare(row, of: id, in: db)
    }
  }

  private mutating func compare(_ row: StatementRow, of id: Int64, in db: Database) throws {
    guard let texts = try SearchedTexts(SnippetID(rawValue: id), in: db), !texts.facts.isInTrash
    else {
      return add("the search index holds snippet \(id), which it must not hold")
    }
    let words = try [row.text(1), row.text(2), row.text(3)]
    if words != [texts.title.words, texts.tags.words, texts.body.words] {
      add("the search index holds other words of snippet \(id) than it has")
    }
  }

  /// Reads every word of the index with its places.
  private mutating func collectWords(in db: Database, _ check: () throws -> Void) throws {
    try IndexedWords.define(in: db)
    var words = try SteppedStatement(
      "SELECT term, doc, col, offset FROM \(IndexedWords.table)",
      in: db
    )
    var count = 0
    while let row = try words.next() {
      if count % (Self.stride * Self.stride) == 0 { try check() }
      count += 1
      let (id, offset) = (try row.number(1), Int(try row.number(3)))
      let column = try row.withText(2) { name in
        switch name.first {
        case UInt8(ascii: "b"): 2
        default: name.count == 4 ? 1 : 0
        }
      }
      try row.withText(0) { found.add(word: $0, at: offset, of: id, column) }
    }
  }

  // MARK: - Words

  /// A checksum of words with their places, independent of their order.
  private struct WordSum: Equatable {
    private var count = 0
    private var sum: UInt64 = 0

    /// Adds all words of a column.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, of id: Int64, _ column: Int) {
      for (offset, word) in text.split(separator: 0x20).enumerated() {
        let indexed = word.prefix(SearchPlan.maximumIndexedWordByteCount)
        add(
          word: UnsafeBufferPointer(rebasing: indexed),
          at: offset,
          of: id,
          column
        )
      }
    }

    mutating func add(
      word: UnsafeBufferPointer<UInt8>,
      at offset: Int,
      of id: Int64,
      _ column: Int
    ) {
      var hasher = Hasher()
      hasher.combine(id)
      hasher.combine(column)
      hasher.combine(offset)
      hasher.combine(bytes: UnsafeRawBufferPointer(word))
      count += 1
      sum &+= UInt64(bitPattern: Int64(hasher.finalize()))
    }
  }
}
