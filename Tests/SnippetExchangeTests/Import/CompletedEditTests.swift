import Foundation
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

/// Front matter and tags that are typed into the text of a note.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct CompletedEditTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  /// Imports a file, and returns its snippet.
  private func imported(_ name: String, _ text: String) async throws -> SnippetRow {
    try tree.add(name, text)
    try await importVault()
    return try #require(try store.list().rows(in: 0..<99).first)
  }

  /// Gives a snippet another text, and returns its row.
  @discardableResult
  private func edit(
    _ row: SnippetRow,
    to text: String,
    _ edit: SnippetEdit = SnippetEdit()
  ) async throws -> SnippetRow {
    var edit = edit
    edit.text = text
    return try await store.apply(try await store.completing(edit, of: row.id), to: row.id)
  }

  @Test func `what is typed into front matter is in the row, and an export keeps it`()
    async throws
  {
    let row = try await imported("a.md", "---\ntitle: Old\ntags: [one, two]\n---\nMilk #dairy\n")
    #expect(row.title == "Old" && row.tags == ["dairy", "one", "two"])
    let text = """
      ---
      title: New
      tags: [two, three]
      created: 2001-09-09T01:46:40Z
      pinned: true
      ---
      Milk #cheese

      """

    let edited = try await edit(row, to: text)

    #expect(edited.title == "New" && edited.isPinned)
    #expect(edited.tags == ["cheese", "three", "two"])
    #expect(edited.createdAt == Date(timeIntervalSince1970: 1_000_000_000))
    try await store.exportMarkdown(to: tree.url)
    #expect(try tree.text("a.md") == text)
  }

  @Test func `an undo of the edit brings back the row`() async throws {
    let row = try await imported("a.md", "---\ntitle: Old\ntags: [one]\n---\nMilk\n")
    let text = "---\ntitle: New\ntags: [two]\ncreated: 2001-09-09\npinned: true\n---\nMilk\n"

    let outcome = try await store.apply(
      try await store.completing(SnippetEdit(text: text), of: row.id),
      to: row
    )
    #expect(outcome.row.title == "New" && outcome.row.tags == ["two"])
    let back = try await store.apply(outcome.inverse, to: outcome.row).row

    #expect(back.title == "Old" && back.tags == ["one"] && !back.isPinned)
    #expect(back.createdAt == row.createdAt)
  }

  @Test func `a title that is taken out leaves that of the file, or of the first line`()
    async throws
  {
    let row = try await imported("a.md", "---\ntitle: Old\n---\nMilk\n")
    #expect(try await edit(row, to: "Milk\n").title == "a")

    let typed = try await store.save(SnippetDraft(.text("Milk")))
    #expect(try await edit(typed, to: "---\ntags: [one]\n---\nMilk").title == "Milk")
    #expect(try await edit(typed, to: "---\ntags: [one]\n---\nEggs").title == "Eggs")
    #expect(try await edit(typed, to: "---\ntitle: New\n---\nEggs").title == "New")
    #expect(try await edit(typed, to: "Eggs").title == "Eggs")
    #expect(try await edit(typed, to: "Eggs #egg").tags == ["egg"])
  }

  @Test(arguments: [
    ("{\"a\": 1}", "{\"a\": 2}"), ("{\"a\": 1}\n{\"b\": 1}\n", "{\"a\": 2}\n{\"b\": 1}\n"),
  ])
  func `an object in JSON that is the text gives it its title`(
    text: String,
    other: String
  ) async throws {
    let typed = try await store.save(SnippetDraft(.text(text)))
    #expect(typed.title == "{\"a\": 1}")
    #expect(try await edit(typed, to: other).title == "{\"a\": 2}")
  }

  @Test func `what the store has otherwise stays, and so does what the edit says`() async throws {
    let row = try await imported("a.md", "---\ntitle: Old\ntags: [one, two]\n---\nMilk\n")
    try await store.apply(
      SnippetEdit(title: "Mine", addedTags: ["mine"], removedTags: ["one"]),
      to: row.id
    )

    let edited = try await edit(
      row,
      to: "---\ntitle: New\ntags: [one, three]\npinned: true\n---\nMilk\n",
      SnippetEdit(isPinned: false)
    )

    #expect(edited.title == "Mine" && !edited.isPinned)
    #expect(edited.tags == ["mine", "three"])
    let told = try await edit(row, to: "---\ntitle: Last\n---\n", SnippetEdit(title: "Said"))
    #expect(told.title == "Said" && told.tags == ["mine"])
  }

  @Test(arguments: ["a.py", "a.txt"])
  func `a text that is no note is not searched`(name: String) async throws {
    let row = try await imported(name, "Milk\n")
    let edited = try await edit(row, to: "---\ntitle: New\ntags: [one]\n---\nMilk #dairy\n")
    #expect(edited.title == row.title && edited.tags.isEmpty)
  }

  @Test func `a note of Org is one too`() async throws {
    let row = try await imported("a.org", "#+TITLE: Old\n#+FILETAGS: :one:\nMilk\n")
    #expect(row.title == "Old")
    let edited = try await edit(row, to: "#+TITLE: New\n#+FILETAGS: :two:\nMilk\n")
    #expect(edited.title == "New" && edited.tags == ["two"])
  }

  @Test func `the edit of what is no text, or is gone, stays as it is`() async throws {
    let image = try await store.save(Samples.image(Samples.bytes(10), title: "Lake"))
    let note = SnippetEdit(note: "---\ntitle: New\n---")
    #expect(try await store.completing(note, of: image.id) == note)
    let text = SnippetEdit(text: "#tag")
    #expect(try await store.completing(text, of: SnippetID(rawValue: 99)) == text)
  }
}
