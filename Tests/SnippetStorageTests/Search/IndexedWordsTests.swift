import GRDB
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// What is asked for whole words finds what is asked for their beginning.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct IndexedWordsTests {
  private let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  private func save(_ texts: [String]) async throws {
    try await store.save(contentsOf: texts.map { SnippetDraft(.text($0), title: "") })
    try await store.updateSearchIndex()
  }

  /// What the index is asked for some words, as they stand in it.
  private func phrase(_ words: String) throws -> String {
    try store.connections.read(.scans, to: "look up") { try IndexedWords(db: $0).phrase(words) }
  }

  @Test func `a beginning becomes the words that begin so`() async throws {
    try await save(["harbour", "the harbours of Köln", "hard", "harb"])

    #expect(try phrase("harb") == #"("harb" OR "harbour" OR "harbours")"#)
    #expect(try phrase("of koln") == #"("of koln")"#)
    #expect(try phrase("a harbours") == #"("a harbours")"#)
  }

  @Test(arguments: ["", "h", "ha", "牛", "zebra", "har\"", "the zebra"])
  func `what has an index of its own, or is not there, stays a beginning`(
    _ words: String
  ) async throws {
    try await save(["harbour", "the harbours of Köln", "牛乳"])

    #expect(try phrase(words) == SearchPlan.phrase(words))
  }

  @Test func `a beginning of very many words stays one`() async throws {
    try await save((100..<124).map { "no\($0)" })
    #expect(try phrase("no1").contains(" OR "))
    try await save(["no124"])

    #expect(try phrase("no1") == #""no1" *"#)
  }

  @Test func `both ways find the same`() async throws {
    var random = SeededGenerator()
    let syllables = ["ka", "no", "\"", "ta", "ß", "mi", "-", "é", "ro", "x", "京", "'"]
    func word() -> String {
      (0..<random.below(4) + 1).map { _ in syllables[random.below(syllables.count)] }.joined()
    }
    try await save(
      (0..<300).map { _ in (0..<random.below(6) + 1).map { _ in word() }.joined(separator: " ") }
    )
    for _ in 0..<300 {
      let query = SearchQuery(
        (0..<random.below(3) + 1).map { _ in word() }.joined(separator: " ")
      )
      guard let expression = query.expression else { continue }
      let plan = SearchPlan(expression)

      let (whole, beginnings) = try await store.connections.read(.scans, to: "search") { db in
        let sql = "SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid"
        return try (
          plan.indexExpression(IndexedWords(db: db).phrase).map {
            try db.numbers(sql, [$0.databaseValue])
          },
          plan.indexExpression.map { try db.numbers(sql, [$0.databaseValue]) }
        )
      }

      #expect(whole == beginnings, "\(query.text.debugDescription)")
    }
  }

  @Test(arguments: StorePlace.allCases)
  func `the newest of very many are found as all of them are`(_ place: StorePlace) async throws {
    let store = try place.open()
    try await store.save(
      contentsOf: (0..<SearchRun.maximumRankedCount + 100).map {
        SnippetDraft(.text($0.isMultiple(of: 3) ? "harbour \($0)" : "harbours \($0)"), title: "")
      }
    )
    try await store.updateSearchIndex()

    let results = try await store.search("harb")
    let first = try results.rows(in: 0..<50).map(\.id)
    try await results.finish()

    #expect(try results.count == SearchRun.maximumRankedCount + 100)
    #expect(try results.rows(in: 0..<50).map(\.id) == first)
    #expect(first == first.sorted(by: >))
  }
}
