import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

/// Words of a query that only the name of a file has.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct FileNameSearchTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("notes")
  }

  private func found(
    _ query: String,
    in filter: SnippetFilter = .all
  ) async throws -> [String] {
    let results = try await store.search(SearchQuery(query), in: filter)
    try await results.finish()
    return try results.rows(in: 0..<results.count).map(\.title)
  }

  private func add(_ name: String, _ title: String, _ text: String = "nothing else") throws {
    try tree.add(name, "---\ntitle: \(title)\n---\n\(text)\n")
  }

  @Test func `a word finds the name of a file, its ending too, but no folder`() async throws {
    try add("calls/New Recording 12.md", "Dentist")
    try add("Überblick.txt.md", "Summary")
    try await store.importFiles(at: [tree.url])
    for isIndexed in [false, true] {
      if isIndexed { try await store.updateSearchIndex() }
      #expect(try await found("recording") == ["Dentist"])
      #expect(try await found("\"New Recording 12.md\"") == ["Dentist"])
      #expect(try await found("dentist record") == ["Dentist"])
      #expect(try await found("uberblick txt") == ["Summary"])
      #expect(try await found("calls") == [])
      // Inside a word of a name nothing is looked for, and a field is none of a name.
      #expect(try await found("cording") == [])
      #expect(try await found("in:title:recording") == [])
      #expect(try await found("recording kind:image") == [])
      #expect(try await found("recording OR kind:image") == ["Dentist"])
    }
  }

  @Test func `names come after titles and texts, and none comes twice`() async throws {
    try add("soup.md", "First")
    try add("b.md", "Second", "a text with soup")
    try add("soup too.md", "Soup", "soup")
    try add("c.md", "Bouillabaisse", "fishsoup")
    try await store.importFiles(at: [tree.url])
    try await store.updateSearchIndex()

    #expect(try await found("soup") == ["Soup", "Second", "Bouillabaisse", "First"])
  }

  @Test func `a word in a name excludes, too`() async throws {
    try add("draft soup.md", "One", "with leek")
    try add("soup.md", "Two", "with leek")
    try await store.importFiles(at: [tree.url])
    for isIndexed in [false, true] {
      if isIndexed { try await store.updateSearchIndex() }
      #expect(try await found("leek -draft") == ["Two"])
      #expect(try await found("-draft") == ["Two"])
      #expect(try await found("soup -draft") == ["Two"])
      #expect(try await found("soup -in:text:draft").sorted() == ["One", "Two"])
      let first = try await store.search("leek -draft")
      #expect(try first.rows(in: 0..<9).map(\.title) == ["Two"])
    }
  }

  @Test func `each file of a snippet counts, and a phrase is in one name`() async throws {
    let picture = Samples.png
    try tree.add("left one.png", picture)
    try tree.add("right two.png", picture)
    try await store.importFiles(at: [tree.url])
    try await store.updateSearchIndex()

    #expect(try await found("left right").count == 1)
    #expect(try await found("\"png right\"").isEmpty)
    #expect(try await found("\"right two\"").count == 1)
  }

  @Test func `a renamed file is found by its new name, and one that is gone by none`() async throws
  {
    try add("before.md", "Title")
    try await store.importFiles(at: [tree.url])
    try await store.updateSearchIndex()
    try tree.move("before.md", to: "after.md")
    try await store.importFiles(at: [tree.url])

    #expect(try await found("before") == [])
    #expect(try await found("after") == ["Title"])
    _ = try await Shell.sqlite3(TemporaryDirectory.file("store.sqlite"), "DELETE FROM origins")
    #expect(try await found("after") == [])
  }

  @Test func `the trash has names as well`() async throws {
    try add("minutes.md", "Meeting")
    try await store.importFiles(at: [tree.url])
    try await store.moveToTrash(store.list().rows(in: 0..<1).map(\.id))

    #expect(try await found("minutes") == [])
    #expect(try await found("minutes", in: .trash) == ["Meeting"])
  }
}
