import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetLoading

@Suite(.temporaryDirectory)
struct FrontMatterPreviewTests {
  private static let note = "---\ntitle: Soup\ntags: [a, b]\n---\n\n# Soup\nPotatoes --- peeled"

  /// The row of a stored text.
  private func row(of text: String) async throws -> SnippetRow {
    try await TemporaryStore.open().save(SnippetDraft(.text(text)))
  }

  @Test func `a preview has the text after the front matter, and the store has both`()
    async throws
  {
    let row = try await row(of: Self.note)
    #expect(row.previewWithoutFrontMatter == "# Soup Potatoes --- peeled")
    #expect(row.preview.hasPrefix("--- title: Soup"))
  }

  @Test func `front matter that is longer than a preview leaves nothing of it`() async throws {
    let long = String(repeating: "word ", count: 60)
    #expect(try await row(of: "---\ntitle: \(long)\n---\ntext").previewWithoutFrontMatter == "")
  }

  @Test func `a preview has the text after an object in JSON`() async throws {
    let fields = "{\n  \"title\": \"Soup\",\n  \"more\": {\"a\": \"} b\"}\n}\n"
    #expect(
      try await row(of: fields + "\n# Soup\ntext").previewWithoutFrontMatter == "# Soup text"
    )
    #expect((fields + "text").withoutFrontMatter(isCut: false) == "text")
  }

  @Test(
    arguments: [
      "{\"a\": 1}", "{\"a\": 1}\n{\"a\": 2}\n", "{\"a\": 1}text", "{ a }\ntext", "{\"a\": {\n",
      "{}\na",
      "", "---", "--- ", "---a: b --- c", "--- a --- b", "---\n---\ntext", "----\na: b\n---\nc",
      "a --- b: c --- d", "--- a: b without an end",
    ]
  )
  func `a text without front matter is shown from its start`(text: String) {
    #expect(text.withoutFrontMatter(isCut: false) == text)
  }

  @Test func `a match is shown without the front matter before it, and one in there with it`()
    async throws
  {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("---\nauthor: Anna\n---\nPotatoes")))
    for (word, text) in [("potatoes", "Potatoes"), ("anna", "---  author: Anna  ---  Potatoes")] {
      let results = try await store.search(SearchQuery(word))
      let excerpt = try #require(try await results.excerpt(of: row.id))
      #expect(excerpt.textWithoutFrontMatter(of: row) == text)
    }
  }

  @Test func `front matter that the title or the tags repeat is not shown for a match in it`()
    async throws
  {
    let store = try TemporaryStore.open()
    let text = "---\ntitle: Trip\ntags: [sea]\n---\nThe boats"
    let row = try await store.save(SnippetDraft(.text(text), title: "Trip", tags: ["sea"]))
    for word in ["trip", "sea", "boats"] {
      let results = try await store.search(SearchQuery(word))
      let excerpt = try #require(try await results.excerpt(of: row.id))
      #expect(excerpt.textWithoutFrontMatter(of: row) == "The boats")
    }
  }

  @Test func `front matter whose beginning is cut off is not shown before a match`() async throws {
    let store = try TemporaryStore.open()
    let words = String(repeating: "word ", count: 60)
    let texts = [
      "---\nsummary: \(words)\ntags: [sea]\n---\nThe boats of the regatta": "The boats",
      // A rule between two parts of a text.
      "\(words)\nwords\n---\nThe boats of the regatta": "… word",
    ]
    for (text, beginning) in texts {
      let row = try await store.save(SnippetDraft(.text(text)))
      let results = try await store.search(SearchQuery("regatta"))
      let excerpt = try #require(try await results.excerpt(of: row.id, length: 120))
      #expect(excerpt.text.hasPrefix("… word"))
      #expect(excerpt.textWithoutFrontMatter(of: row).hasPrefix(beginning))
    }
  }

  @Test func `an excerpt keeps its lines`() {
    #expect(Self.note.withoutFrontMatter(isCut: false) == "# Soup\nPotatoes --- peeled")
  }
}
