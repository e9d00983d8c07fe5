import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// The SQL of the article on the schema, run by the `sqlite3` shell on a store that is in use.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SchemaSampleTests {
  @Test func `every statement does what is said`() async throws {
    let store = try TemporaryStore.open()
    let file = try #require(store.url)
    try await store.save(SnippetDraft(.text("Milk, eggs"), tags: ["shopping"]))
    try await store.save(SnippetDraft(.bytes(Samples.png), title: "A picture"))
    let list = store.list(SnippetFilter(kinds: [.text]), order: .byTitle)
    let blocks = CodeBlock.all(
      in: "Sources/SnippetStorage/SnippetStorage.docc/Schema.md",
      of: "sql"
    )

    var states: [[String]] = []
    for block in blocks {
      let script = [".cd '\(file.deletingLastPathComponent().path)'"] + block.lines
      let output = try await Shell.run(
        "sqlite3",
        ["-bail", file.path],
        input: Data(script.joined(separator: "\n").utf8)
      )
      #expect(output.status == 0, "\(block.testDescription): \(output.standardError)")
      states.append(try list.rows(in: 0..<10).map { "\($0.title): \($0.tags)" })
    }

    let milk = #"Milk, eggs: ["shopping"]"#
    #expect(
      states == [
        [milk],
        [#"Cake: ["kitchen", "sweet"]"#, milk],
        [#"Cake for Sunday: ["kitchen", "sunday", "visitors"]"#, milk],
        [#"Cake for Sunday: ["kitchen", "sunday", "visitors"]"#, milk],
        [milk],
        [milk],
      ]
    )
    let picture = try #require(try store.list(SnippetFilter(kinds: [.image])).rows(in: 0..<1).first)
    #expect(try await store.note(of: picture.id) == "The boats of the regatta")
  }
}
