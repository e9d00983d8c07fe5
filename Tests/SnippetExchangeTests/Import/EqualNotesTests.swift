import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Files whose text the store has already, of the same note or of another one.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct EqualNotesTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree
  private static let trip = """
    ---
    title: Trip to Köln
    tags: [travel, city]
    date: 2020-01-02T03:04:05Z
    ---
    By train
    """

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  /// Adds a file by itself, as `snip add` does.
  private func add(_ url: URL) async throws -> SnippetID {
    var draft = SnippetDraft(.file(at: url))
    draft.hints.isTextWhenEmpty = true
    let id = try await store.save(draft).id
    try await store.recordFiles([(id, url)])
    return id
  }

  private func rows() throws -> [SnippetRow] {
    try store.list(order: .byTitle).rows(in: 0..<99)
  }

  // MARK: - Without a file

  @Test func `a file that was added by itself brings what it says once its folder is imported`()
    async throws
  {
    let id = try await add(tree.add("sub/trip.md", Self.trip))

    #expect(try await importVault()[.updated] == 1)

    let row = try #require(try store.row(id))
    #expect(row.title == "Trip to Köln" && Set(row.tags) == ["city", "travel"])
    #expect(row.createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 1)
    #expect(try tree.text("sub/trip.md") == Self.trip)
    #expect(try await importVault()[.unchanged] == 1)
    try tree.add("sub/trip.md", "\(Self.trip) and ship")
    #expect(try await importVault()[.updated] == 1)
    #expect(try store.list().count == 1)
  }

  @Test(arguments: [true, false])
  func `a title that a person gave stays when the text gets its file`(isFile: Bool) async throws {
    let url = try tree.add("trip.md", Self.trip)
    let draft = SnippetDraft(.text(Self.trip), title: "Mine")
    let id = try await isFile ? add(url) : store.save(draft).id
    try await store.apply(SnippetEdit(title: "Mine"), to: id)

    #expect(try await importVault()[.updated] == 1)

    let row = try #require(try store.row(id))
    #expect(row.title == "Mine" && Set(row.tags) == ["city", "travel"])
    #expect(try store.list().count == 1)
  }

  @Test func `a text without a title gets that of its file, and one that has it stays as it is`()
    async throws
  {
    let milk = try await store.save(SnippetDraft(.text("Milk"))).id
    let eggs = try await store.save(SnippetDraft(.text("Eggs"), title: "eggs")).id
    let before = try #require(try store.row(eggs))
    try tree.add("list.md", "Milk")
    try tree.add("eggs.md", "Eggs")

    let report = try await importVault()

    #expect(report[.updated] == 1 && report[.duplicate] == 1, "\(report)")
    #expect(try store.row(milk)?.title == "list")
    #expect(try store.row(eggs)?.revision == before.revision)
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 2)
  }

  @Test func `a file that was added by itself is not taken for another one of its text`()
    async throws
  {
    let id = try await add(tree.add("b.md", "Milk"))
    try tree.add("a.md", "Milk")

    let report = try await importVault()

    #expect(report[.imported] == 1 && report[.duplicate] == 1, "\(report)")
    #expect(try rows().map(\.title) == ["a", "b"])
    #expect(try store.row(id)?.title == "b")
  }

  // MARK: - Other notes

  @Test(arguments: ["", "\n", "Milk"])
  func `notes of equal texts in two folders are two, if their names differ`(text: String)
    async throws
  {
    let other = try FileTree("other")
    try tree.add("Inbox.md", text)
    try other.add("Ideas.md", text)
    try await importVault()

    #expect(try await store.importFiles(at: [other.url])[.imported] == 1)

    #expect(try await store.exportMarkdown(to: other.url)[.unchanged] == 1)
    #expect(try other.text("Ideas.md") == text)
    try tree.add("Inbox.md", "\(text) and eggs")
    #expect(try await importVault()[.updated] == 1)
    #expect(try await store.exportMarkdown(to: other.url)[.unchanged] == 1)
    let inbox = try #require(try row("Inbox")?.id)
    try await store.apply(SnippetEdit(isInTrash: true), to: inbox)
    let folder = try FileTree("trash").url
    let options = MarkdownExportOptions(trashedFiles: .move(to: folder))
    try await store.exportMarkdown(to: other.url, options: options)
    #expect(try other.text("Ideas.md") == text)
  }

  @Test(arguments: [false, true])
  func `a text in the trash comes back when a copy is imported, with its tags`(
    isAlone: Bool
  ) async throws {
    try tree.add("Soup.md", "Boil water")
    try tree.add("Empty.md", "")
    try await importVault()
    let id = try #require(try row("Soup")?.id)
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: id)
    try await store.moveToTrash(store.list().rows(in: 0..<9).map(\.id))
    let other = try FileTree("other")
    let file = try other.add("Soup.md", "Boil water")
    if !isAlone {
      // Another title is that of another text, and one without words says nothing.
      for name in ["Tea.md", "deep/Soup.md"] { try other.add(name, "Boil water") }
      try other.add("Empty.md", "")
    }

    let report = try await store.importFiles(at: [isAlone ? file : other.url])

    #expect(report[.broughtBack] == 1 && report[.imported] == (isAlone ? 0 : 3), "\(report)")
    #expect(try store.row(id)?.deletedAt == nil && store.row(id)?.tags == ["mine"])
    #expect(try await store.importFiles(at: [isAlone ? file : other.url])[.imported] == 0)
    #expect(try store.list(.trash).count == 1)
  }

  @Test func `an empty note of a template is none of one in the trash`() async throws {
    let template = "---\ntags: daily\n---\n"
    try tree.add("Untitled.md", template)
    try await importVault()
    let id = try #require(try store.list().row(at: 0)?.id)
    #expect(try store.row(id)?.title == "")
    try await store.moveToTrash([id])
    let other = try FileTree("other")
    for name in ["Untitled.md", "Untitled 2.md"] { try other.add(name, template) }

    let report = try await store.importFiles(at: [other.url])

    #expect(report[.imported] == 2 && report[.broughtBack] == 0, "\(report)")
    #expect(try store.row(id)?.deletedAt != nil)
  }

  @Test func `an empty text is none of a snippet without a file`() async throws {
    let hand = try await add(FileTree("other").add("a.md", ""))
    let own = try await add(tree.add("b.md", ""))
    try tree.add("a.md", "")

    let report = try await importVault()

    #expect(report[.imported] == 1 && report[.duplicate] == 1, "\(report)")
    #expect(try await store.origins(of: own).count == 1)
    #expect(try await store.origins(of: hand).map(\.folder.lastPathComponent) == ["other"])
  }

  @Test(arguments: ["", " \n"])
  func `empty notes at one path in two vaults are two notes`(text: String) async throws {
    let other = try FileTree("other")
    try tree.add("Daily/Inbox.md", text)
    try other.add("Daily/Inbox.md", text)
    try await importVault()

    #expect(try await store.importFiles(at: [other.url])[.imported] == 1)

    #expect(try await store.importFiles(at: [other.url])[.unchanged] == 1)
    try tree.add("Daily/Inbox.md", "Milk")
    #expect(try await importVault()[.updated] == 1)
    #expect(try await store.exportMarkdown(to: other.url)[.unchanged] == 1)
    #expect(try other.text("Daily/Inbox.md") == text)
  }

  @Test func `an empty note keeps its snippet when its whole folder is moved`() async throws {
    try tree.add("Daily/Inbox.md", "")
    try await importVault()
    let other = TemporaryDirectory.file("other")
    try FileManager.default.moveItem(at: tree.url, to: other)
    // As a mount point does, the former folder stays, so this one is not known.
    try FileManager.default.createDirectory(at: tree.url, withIntermediateDirectories: false)

    #expect(try await store.importFiles(at: [other])[.duplicate] == 1)

    #expect(try store.list().count == 1)
  }

  @Test func `a note that got another title is still that of a copy of its file`() async throws {
    try tree.add("a.md", "Milk")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(title: "Shopping", addedTags: ["mine"]), to: id)
    let other = try FileTree("other")
    try other.add("deep/a.md", "Milk")

    #expect(try await store.importFiles(at: [other.url])[.duplicate] == 1)

    #expect(try store.list().count == 1)
  }

  @Test func `two bundles of one text are two notes if their titles, tags or dates differ`()
    async throws
  {
    func add(_ name: String, _ title: String, _ tag: String, _ year: Int) throws -> URL {
      let folder = try FileTree(name)
      try folder.add("N.textbundle/text.md", "Milk")
      try folder.add(
        "N.textbundle/info.json",
        """
        {"version": 2, "title": "\(title)", "tags": ["\(tag)"],
         "net.shinyfrog.bear": {"creationDate": "\(year)-01-02T03:04:05Z"}}
        """
      )
      return folder.url
    }
    let urls = [
      try add("1", "Work", "a", 2020), try add("2", "Home", "a", 2020),
      try add("3", "Home", "b", 2020), try add("4", "Home", "b", 2021),
    ]
    for url in urls { #expect(try await store.importFiles(at: [url])[.imported] == 1) }

    let again = try await store.importFiles(at: [add("5", "Home", "b", 2020)])

    #expect(again[.duplicate] == 1, "\(again)")
    #expect(try rows().map(\.title) == ["Home", "Home", "Home", "Work"])
  }
}
