import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct SearchIndexCheckTests {
  private let file = TemporaryDirectory.file("store.sqlite")
  private let store: SnippetStore

  init() async throws {
    store = try SnippetStore(at: file)
    for number in 1...20 {
      try await store.save(SnippetDraft(.text("Text \(number), with wörds"), tags: ["tag"]))
    }
    try await store.updateSearchIndex()
  }

  private func problems(limit: Int = 9) throws -> [String] {
    try store.connections.read(.scans, to: "check") { db in
      try SearchIndex.problems(in: db, check: {}, limit: limit)
    }
  }

  /// Runs SQL in the shell, which may write the tables of the index.
  private func shell(_ sql: String) async throws {
    #expect(try await Shell.sqlite3(file, sql) == Shell.Output(standardOutput: ""))
  }

  private func edit(_ id: SnippetID, _ choice: Int, _ step: Int) async throws {
    switch choice {
    case 0: try await store.save(SnippetDraft(.text("new \(step)")))
    case 1: try await store.apply(SnippetEdit(text: "changed \(step)"), to: id)
    case 2: try await store.apply(SnippetEdit(addedTags: ["added \(step)"]), to: id)
    case 3: try await store.moveToTrash([id])
    case 4: try await store.undelete([id])
    case 5: try await store.delete([id])
    default: try await store.updateSearchIndex()
    }
  }

  @Test func `a sound index has no problems, whatever it lacks`() async throws {
    #expect(try problems().isEmpty)
    var random = SeededGenerator()
    for step in 0..<30 {
      let id = SnippetID(rawValue: Int64(1 + random.below(20)))
      let choice = random.below(7)
      let code = await errorCode { try await edit(id, choice, step) }
      #expect(code == nil || code == .notFound || code == .inTrash)
      #expect(try problems().isEmpty)
    }
    try await store.save(SnippetDraft(.text(Samples.longText("é"))))
    try await store.save(SnippetDraft(.text(String(repeating: "x", count: 60_000))))
    try await store.updateSearchIndex()
    #expect(try problems().isEmpty)
    try await store.purge()
    #expect(try problems().isEmpty)
    try await store.close()
  }

  @Test func `a row that is gone from the index is named`() async throws {
    try await shell("DELETE FROM search_index WHERE rowid IN (3, 5)")

    let found = try problems()
    let expected: [String] = [
      "snippet 3 is missing in the search index", "snippet 5 is missing in the search index",
    ]
    #expect(found == expected)
    #expect(try problems(limit: 1).count == 1)
    try await store.close()
  }

  @Test func `a row that does not belong there is named`() async throws {
    try await shell("INSERT INTO search_index (rowid, title, tags, body) VALUES (99, 'a', '', 'b')")

    let found = try problems()
    #expect(found == ["the search index holds snippet 99, which it must not hold"])
    try await store.close()
  }

  @Test func `other words are named`() async throws {
    try await shell("UPDATE search_index SET body = 'other' WHERE rowid = 7")

    let found = try problems()
    #expect(found == ["the search index holds other words of snippet 7 than it has"])
    try await store.close()
  }

  @Test(arguments: [
    "UPDATE search_index_content SET c2 = 'text 7 , without' WHERE id = 7",
    "DELETE FROM search_index_content WHERE id = 7",
    "DELETE FROM search_index_docsize WHERE id = 7",
    "UPDATE search_index_data SET block = zeroblob(length(block)) WHERE id > 10",
    "DELETE FROM search_index_data WHERE id > 10",
    "UPDATE search_index_content SET c0 = x'00' WHERE id = 7",
    "UPDATE search_state SET change_number = change_number - 1; DELETE FROM search_index",
  ])
  func `a damaged index is found`(_ sql: String) async throws {
    try await shell(sql)

    let found = try problems()
    #expect(!found.isEmpty)
    try await store.close()
  }

  @Test func `an index of other rules is none`() async throws {
    try await shell("UPDATE search_state SET rules = 0")

    #expect(try problems().isEmpty)
    try await store.close()
  }

  @Test func `it ends when nobody waits for it`() async throws {
    let code = errorCode {
      try store.connections.read(.scans, to: "check") { db in
        try SearchIndex.problems(in: db, check: { throw CancellationError() }, limit: 9)
      }
    }

    #expect(code == .cancelled)
    #expect(try problems().isEmpty)
    try await store.close()
  }
}
