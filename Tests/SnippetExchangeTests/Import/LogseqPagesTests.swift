import Foundation
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

/// Pages of Logseq, whose names stand for titles that no file can have.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LogseqPagesTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("graph")
  }

  @Test(arguments: [
    ("What now%3F", "What now?"), ("a___b___c%3A d", "a/b/c: d"), ("CON___", "CON"),
    ("100% sure", "100% sure"), ("100%25", "100%"), ("x%0Ay", "x%0Ay"),
  ])
  func `the name of a page gives its title, and the page comes back under it`(
    name: String,
    title: String
  ) async throws {
    try tree.add("pages/\(name).md", "- a block\n")
    #expect(try await importVault()[.imported] == 1)
    let id = try #require(try row(title)?.id)

    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 1)
    let other = tree.url.deletingLastPathComponent().appendingPathComponent("other")
    try await store.exportMarkdown(to: other)
    #expect(try FileTree.files(in: other) == ["pages/\(name).md"])

    try tree.add("pages/\(name).md", "- another block\n")
    #expect(try await importVault()[.updated] == 1)
    #expect(try store.row(id)?.title == title)
    try tree.move("pages/\(name).md", to: "pages/New%3F.md")
    #expect(try await importVault()[.moved] == 1)
    #expect(try store.row(id)?.title == "New?")
  }

  @Test func `elsewhere a name is the title as it is`() async throws {
    try tree.add("What now%3F___.md", "words")
    try await importVault()
    #expect(try row("What now%3F___") != nil)
  }

  @Test func `a page whose folder was imported alone stays as it is within the graph`() async throws
  {
    try tree.add("pages/What%3F.md", "words")
    try await store.importFiles(at: [tree.url.appendingPathComponent("pages")])
    let id = try #require(try row("What%3F")?.id)
    try await importVault()

    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 1)

    #expect(try store.row(id)?.title == "What%3F")
    #expect(try tree.text("pages/What%3F.md") == "words")
  }
}
