import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// What an export may write above a note, and where it must leave a note as it is.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct NoteFileTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  // Each is UTF-8 too, taken byte by byte.
  @Test(arguments: [
    (
      "UTF-16",
      Data("A note in plain letters.\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    ),
    ("ISO-2022-JP", Data("\u{1B}$BF|K\\8l$N%a%b\u{1B}(B\n".utf8)),
  ])
  func `a note in another encoding gets nothing above it`(
    encoding: String,
    bytes: Data
  ) async throws {
    let file = try tree.add("a.md", bytes)
    try await store.importFiles(at: [tree.url])
    let row = try #require(try store.list().rows(in: 0..<1).first)
    #expect(
      try store.seam.content(of: row.id).encoding != .utf8
    )
    try await store.apply(SnippetEdit(title: "Mine", addedTags: ["q"]), to: row.id)

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.unchanged] == 1 && report[.incomplete] == 1, "\(report)")
    #expect(try Data(contentsOf: file) == bytes)
    // Edited in the folder, it is still the same snippet, with what it was given in the store.
    try tree.add("a.md", bytes + bytes)
    #expect(try await store.importFiles(at: [tree.url])[.updated] == 1)
    let edited = try #require(try store.row(row.id))
    #expect(edited.title == "Mine" && edited.tags == ["q"])
  }

  @Test(arguments: 0..<5)
  func `a title that was cut on import stays whole in its file`(letterCount: Int) async throws {
    // The cut falls on each letter of a word, and on the blank behind it.
    let title =
      String(repeating: "x", count: letterCount) + String(repeating: "long ", count: 300)
    let text = "---\ntitle: \(title)end\n---\nbody\n"
    try tree.add("a.md", text)
    #expect(try await store.importFiles(at: [tree.url])[.unreadValue] == 1)

    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 1)

    #expect(try tree.text("a.md") == text)
  }

  @Test func `front matter that the store has never read stays as it is`() async throws {
    let text = "---\ntitle: My plan\ntags: [work]\npinned: true\nauthor: me\n---\nbody\n"
    let saved = try await store.save(SnippetDraft(.text(text)))

    try await store.exportMarkdown(to: tree.url)

    let name = try #require(FileTree.files(in: tree.url).first)
    #expect(try tree.text(name) == text)
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: saved.id)
    try await store.exportMarkdown(to: tree.url)
    #expect(try tree.text(name) == text.replacing("[work]", with: "[work, mine]"))
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 1)
  }

  @Test func `front matter in a note of Joplin keeps its tags and its pin`() async throws {
    let joplin = try JoplinTree("joplin")
    let fields = "tags: [work]\npinned: true\nauthor: me\n"
    try joplin.item(1, 1, "List\n\n---\n\(fields)---\nbody")
    try await store.importFiles(at: [joplin.tree.url])

    try await store.exportMarkdown(to: tree.url)

    let text = try tree.text("List.md")
    #expect(text.hasPrefix("---\n\(fields)"), "\(text)")
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 1)
  }

  @Test(arguments: [
    "tags:\n  - a\n  - b: c\n  - [d, e]\n", "tags: {a: b}\n", "tag: x\nTag: y\n",
  ])
  func `tags that are more than words stay, with the rest brought up to date`(
    yaml: String
  ) async throws {
    try tree.add("a.md", "---\n\(yaml)---\ntext\n")
    try await store.importFiles(at: [tree.url])
    let row = try #require(try store.list().rows(in: 0..<1).first)
    try await store.apply(
      SnippetEdit(title: "New", isPinned: true, addedTags: ["mine"]),
      to: row.id
    )

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.updated] == 1 && report[.incomplete] == 1, "\(report)")
    #expect(
      try String(contentsOf: tree.url.appendingPathComponent("a.md"), encoding: .utf8)
        == "---\n\(yaml)title: New\npinned: true\n---\ntext\n"
    )
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 1)
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 1)
    #expect(try store.row(row.id)?.tags.contains("mine") == true)
  }

  @Test(arguments: [
    ("plan.org", Data("#+title: The plan\n#+filetags: :a:\ntext\n".utf8), "only Markdown has a"),
    (
      "latin.md",
      Data(
        "#a Gr\u{FC}\u{DF}e aus K\u{F6}ln, sch\u{F6}ne Gr\u{FC}\u{DF}e".unicodeScalars.map {
          UInt8($0.value)
        }
      ),
      "it is not in UTF-8"
    ),
    ("list.txt", Data("Milk".utf8), "only Markdown has a"),
    ("run.sh", Data("echo".utf8), "only Markdown has a"),
  ])
  func `a text whose file has no place for a title and tags is named`(
    name: String,
    bytes: Data,
    reason: String
  ) async throws {
    let file = try tree.add(name, bytes)
    try await store.importFiles(at: [tree.url])
    let row = try #require(try store.list().rows(in: 0..<1).first)
    let before = try await store.exportMarkdown(to: tree.url)
    try await store.apply(
      SnippetEdit(title: "Mine", isPinned: true, addedTags: ["mine"]),
      to: row.id
    )
    let told = Lock<[SnippetStoreError]>([])

    let report = try await store.exportMarkdown(to: tree.url) { event in
      guard event.outcome == .incomplete, let error = event.error else { return }
      told.withLock { $0.append(error) }
    }

    #expect(before[.unchanged] == 1 && before[.incomplete] == 0, "\(before)")
    #expect(report[.unchanged] == 1 && report[.incomplete] == 1, "\(report)")
    let errors = told.withLock { $0 }
    #expect(
      errors.map(\.operation) == [
        "write the title and the tags and the pin of snippet \(row.id) into \(tree.path(name))"
      ]
    )
    #expect(errors.allSatisfy { $0.reason.hasPrefix(reason) }, "\(errors)")
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test func `front matter that cannot be read is told with what it should say`() async throws {
    let broken = "---\nnote: Meeting: with Anna\n---\ntext\n"
    for name in ["a.md", "b.md"] { try tree.add(name, broken) }
    try await store.importFiles(at: [tree.url])
    let row = try #require(try store.list().rows(in: 0..<9).first { $0.title == "a" })
    try await store.apply(
      SnippetEdit(title: "New", isPinned: true, addedTags: ["mine"]),
      to: row.id
    )
    let told = Lock<[SnippetStoreError]>([])

    let report = try await store.exportMarkdown(to: tree.url) { event in
      guard event.outcome == .incomplete, let error = event.error else { return }
      #expect(event.snippetID == row.id)
      told.withLock { $0.append(error) }
    }

    #expect(report[.unchanged] == 2 && report[.incomplete] == 1, "\(report)")
    #expect(
      told.withLock { $0.map { "\($0.operation): \($0.reason)" } } == [
        """
        write the title and the tags and the pin of snippet \(row.id) into \(tree.path("a.md")): its \
        front matter cannot be read: line 2: mapping values are not allowed in this context; a value \
        with a colon and a blank needs quotes
        """
      ]
    )
    // Corrected there, it takes what the store has.
    try tree.add("a.md", "---\nnote: \"Meeting: with Anna\"\n---\ntext\n")
    try await store.importFiles(at: [tree.url])
    let again = try await store.exportMarkdown(to: tree.url)
    #expect(again[.updated] == 1 && again[.incomplete] == 0, "\(again)")
  }
}
