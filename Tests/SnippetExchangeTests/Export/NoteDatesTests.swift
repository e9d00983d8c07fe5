import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// The dates of notes in the files of an export.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5)))
struct NoteDatesTests {
  let store: SnippetStore
  let out = TemporaryDirectory.file("out")
  private let created = Date(timeIntervalSince1970: 1_500_000_000.125)
  private let modified = Date(timeIntervalSince1970: 1_600_000_000)

  init() throws {
    store = try TemporaryStore.open()
  }

  @Test(arguments: ["plain text", "---\naliases: [x]\n---\ntext", "+++\nweight = 3\n+++\ntext"])
  func `the date of creation goes with a note into a new folder`(text: String) async throws {
    var draft = SnippetDraft(.text(text), title: "Note", createdAt: created)
    draft.modifiedAt = modified
    try await store.save(draft)

    #expect(try await store.exportMarkdown(to: out)[.exported] == 1)
    let file = out.appendingPathComponent("Note.md")
    let bytes = try Data(contentsOf: file)
    #expect(String(decoding: bytes, as: UTF8.self).contains("2017-07-14T02:40:00.125Z"))
    #expect(try await store.exportMarkdown(to: out)[.unchanged] == 1)
    #expect(try await store.importFiles(at: [out])[.unchanged] == 1)
    #expect(try Data(contentsOf: file) == bytes)

    let other = try TemporaryStore.open("other.sqlite")
    try await other.importFiles(at: [out])
    let row = try #require(try other.list().rows(in: 0..<1).first)
    #expect(row.createdAt == created && row.title == "Note")
    #expect(row.modifiedAt == modified)
  }

  @Test func `a note that was never edited, or that names its date, is written as it is`()
    async throws
  {
    let texts = [
      "Same": "text", "Own": "---\ndate: 2017-07-14T02:40:00.125Z\n---\ntext",
    ]
    for (title, text) in texts {
      var draft = SnippetDraft(.text(text), title: title, createdAt: created)
      if title == "Own" { draft.modifiedAt = modified }
      try await store.save(draft)
    }

    try await store.exportMarkdown(to: out)

    for (title, text) in texts {
      let file = out.appendingPathComponent("\(title).md")
      let written = try String(contentsOf: file, encoding: .utf8)
      #expect(written.hasSuffix(text) && !written.contains("created"), "\(title)")
    }
  }

  @Test func `a note that was edited is not dated in its own folder`() async throws {
    let tree = try FileTree("vault")
    try tree.add("a.md", "text\n")
    try await store.importFiles(at: [tree.url])
    let row = try #require(try store.list().rows(in: 0..<1).first)
    try await store.apply(SnippetEdit(text: "edited\n"), to: row.id)

    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)
    let file = tree.url.appendingPathComponent("a.md")
    #expect(try String(contentsOf: file, encoding: .utf8) == "edited\n")
  }

  @Test func `a note that got a tag since its import takes its date into a new folder`()
    async throws
  {
    let tree = try FileTree("vault")
    for name in ["a.md", "b.md"] {
      try tree.add(name, "text of \(name)\n")
      try tree.setDate(name)
    }
    try await store.importFiles(at: [tree.url])
    let row = try store.row(titled: "a")
    try await store.apply(SnippetEdit(addedTags: ["new"]), to: row.id)

    try await store.exportMarkdown(to: out)

    let other = try TemporaryStore.open("other.sqlite")
    try await other.importFiles(at: [out])
    #expect(try other.row(titled: "a").createdAt == row.createdAt)
    // The other has the bytes of its source, and so the date of that.
    #expect(try other.row(titled: "b").createdAt == row.createdAt)
    let unchanged = out.appendingPathComponent("b.md")
    #expect(try String(contentsOf: unchanged, encoding: .utf8) == "text of b.md\n")
    #expect(try await store.exportMarkdown(to: out)[.unchanged] == 2)
  }

  @Test func `a tag that stays in the text after it was removed is named`() async throws {
    let tree = try FileTree("vault")
    try tree.add("a.md", "---\ntags: [listed]\n---\ntext #kept #gone\n")
    try await store.importFiles(at: [tree.url])
    let row = try #require(try store.list().rows(in: 0..<1).first)
    try await store.apply(SnippetEdit(removedTags: ["gone", "listed"]), to: row.id)
    let reasons = Lock<[String]>([])

    let report = try await store.exportMarkdown(to: tree.url) { event in
      if event.outcome == .incomplete { reasons.withLock { $0.append("\(event.error!)") } }
    }

    #expect(report[.incomplete] == 1 && report[.updated] == 1)
    let reason = try #require(reasons.withLock { $0 }.first)
    #expect(reason.contains("the removal of the tag “gone”") && !reason.contains("listed"))
    #expect(reason.contains("the text itself has it"))
    try await store.save(SnippetDraft(.text("typed #word")))
    try await store.apply(SnippetEdit(addedTags: ["gone"]), to: row.id)
    let options = MarkdownExportOptions(scope: .everything)
    #expect(try await store.exportMarkdown(to: tree.url, options: options)[.incomplete] == 0)
    #expect(try await store.exportMarkdown(to: tree.url)[.incomplete] == 0)
  }
}
