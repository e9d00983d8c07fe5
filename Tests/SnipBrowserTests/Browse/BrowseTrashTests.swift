import Foundation
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// The trash: shown, brought back from, and emptied after a question.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseTrashTests {
  private let fixture: BrowseFixture
  private let store: SnippetStore

  /// Notes 0 to 5, of which 5, 4 and 3 went to the trash in this order.
  init() async throws {
    store = try await BrowseFixture.store(textCount: 6)
    for number in [6, 5, 4] {
      try await store.moveToTrash([SnippetID(rawValue: Int64(number))])
    }
    fixture = BrowseFixture(store, size: ScreenSize(columns: 90, lines: 24))
    try await fixture.run("wait")
  }

  private var bar: String { fixture.frame.lines[0].text }
  private var status: String { fixture.frame.lines.last?.text ?? "" }
  private func count(_ filter: SnippetFilter) throws -> Int { try store.list(filter).count }

  @Test func `T shows the trash, latest first, and what was there before`() async throws {
    try await fixture.run("s", "s", "wait", "m", "wait", "T", "wait")

    #expect(bar.hasPrefix(" store.sqlite  by deletion, latest first  trash "), "\(bar)")
    #expect(Set(fixture.titles) == ["Note 3", "Note 4", "Note 5"])
    // Marks are for what is on show.
    #expect(fixture.run.screen.lists.marks.isEmpty && !bar.contains("marked"))
    #expect(status.contains("r bring back  d delete  E empty  T leave"), "\(status)")
    #expect(!status.contains("tag"), "\(status)")

    try await fixture.run("T", "wait")
    #expect(bar.hasPrefix(" store.sqlite  by title, from A   ") && fixture.list.count == 3)
    #expect(fixture.titles == ["Note 0", "Note 1", "Note 2"])
  }

  @Test func `esc ends a search in the trash, and then leaves it`() async throws {
    try await fixture.run("T", "/", "type note", "enter", "wait")
    #expect(fixture.list.count == 3 && bar.contains("trash  /note"), "\(bar)")
    try await fixture.run("esc", "wait")
    #expect(fixture.list.count == 3 && bar.contains("trash"))
    try await fixture.run("m", "esc", "wait")
    #expect(bar.contains("trash") && !bar.contains("marked"))
    try await fixture.run("esc", "wait")
    #expect(!bar.contains("trash"), "\(bar)")
  }

  @Test func `r brings back the selected snippet, whatever u would take back`() async throws {
    // The last change, which u takes back.
    try await fixture.run("p", "wait", "T", "wait", "down", "wait")
    let selected = try #require(fixture.list.selectedRow)

    try await fixture.run("r", "wait")

    #expect(status == " Brought back.", "\(status)")
    #expect(try store.row(selected.id)?.deletedAt == nil && count(.trash) == 2)
    try await fixture.run("g", "m", "m", "r", "wait")
    #expect(status == " Brought back: 2 snippets." && fixture.list.count == 0, "\(status)")
    try await fixture.run("u", "wait")
    #expect(try count(.trash) == 2)
  }

  @Test(arguments: ["n", "esc", "d", "enter", "E"])
  func `only y deletes for good`(key: String) async throws {
    try await fixture.run("T", "wait", "d", "wait")
    let title = try #require(fixture.selected)
    #expect(status == " Delete “\(title)” for good? y yes  n no", "\(status)")

    try await fixture.run(key, "wait")
    #expect(status == " Kept." && fixture.list.count == 3, "\(status)")
    #expect(try count(.trash) == 3)

    try await fixture.run("d", "y", "wait")
    #expect(status == " Deleted for good: 1 snippet." && fixture.list.count == 2, "\(status)")
    #expect(!fixture.titles.contains(title))
  }

  @Test func `a file that would bring a snippet back is named`() async throws {
    let folder = TemporaryDirectory.current.url.appendingPathComponent("Notes")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("a.md")
    try Data("from a file".utf8).write(to: file)
    try await store.importFiles(at: [folder])
    try await store.moveToTrash([SnippetID(rawValue: 7)])

    try await fixture.run("T", "wait", "g", "d", "y", "wait")

    #expect(
      status.hasPrefix(" Deleted for good: 1 snippet. The next import brings it back"),
      "\(status)"
    )
    #expect(try store.row(SnippetID(rawValue: 7)) == nil)
  }

  @Test func `an archive that would bring a snippet back is named`() async throws {
    let file = TemporaryDirectory.current.url.appendingPathComponent("a.enex")
    let notes = "<en-export><note><title>A</title><content>words</content></note></en-export>"
    try Data("<?xml version=\"1.0\"?>\n\(notes)".utf8).write(to: file)
    try await store.importFiles(at: [file])
    try await store.moveToTrash([SnippetID(rawValue: 7)])

    try await fixture.run("T", "wait", "g", "d", "y", "wait")

    #expect(status.hasPrefix(" Deleted for good: 1 snippet. Another import of "), "\(status)")
    #expect(try store.row(SnippetID(rawValue: 7)) == nil)
  }

  @Test func `what is marked is deleted for good, all of it after one question`() async throws {
    try await fixture.run("T", "wait", "m", "m", "d", "wait")
    #expect(status == " Delete 2 snippets for good? y yes  n no", "\(status)")
    try await fixture.run("y", "wait")
    #expect(try count(.trash) == 1 && count(.all) == 3)
    #expect(fixture.run.screen.lists.marks.isEmpty)
  }

  @Test func `E empties the trash after a question`() async throws {
    try await fixture.run("T", "wait", "E", "wait")
    #expect(status == " Empty the trash of 3 snippets for good? y yes  n no", "\(status)")
    try await fixture.run("x", "wait")
    #expect(try status == " Kept." && count(.trash) == 3)

    try await fixture.run("E", "wait", "y", "wait")
    #expect(status == " Deleted for good: 3 snippets.", "\(status)")
    #expect(try count(.trash) == 0 && count(.all) == 3)
    try await fixture.run("E", "wait")
    #expect(status == " The trash is empty.", "\(status)")
  }

  // question ─▶ another program brings back, or moves there ─▶ yes
  @Test func `what others bring back while the question stands is kept`() async throws {
    try await fixture.run("T", "wait", "m", "m", "d", "wait")
    let back = try #require(fixture.run.screen.lists.marks.first)
    try await store.undelete([back])

    try await fixture.run("y", "wait")

    #expect(status == " Deleted for good: 1 snippet.", "\(status)")
    let kept = try #require(try store.row(back))
    #expect(kept.deletedAt == nil)
    #expect(try count(.trash) == 1 && count(.all) == 4)
  }

  @Test func `what others move to the trash while the question stands is asked for`() async throws {
    try await fixture.run("T", "wait", "E", "wait")
    try await store.moveToTrash([SnippetID(rawValue: 1)])

    try await fixture.run("y", "wait")
    #expect(status == " Empty the trash of 4 snippets for good? y yes  n no", "\(status)")
    #expect(try count(.trash) == 4)

    try await fixture.run("y", "wait")
    #expect(status == " Deleted for good: 4 snippets.", "\(status)")
  }

  @Test(arguments: ["t", "p", "e"])
  func `a key that changes snippets says that it does not in the trash`(key: String) async throws {
    try await fixture.run("T", "wait", key, "wait")
    #expect(status == " Not in the trash. r brings a snippet back.", "\(status)")
  }

  @Test(arguments: ["d", "E"])
  func `a store that is only read asks nothing`(key: String) async throws {
    fixture.run.screen.readOnlyReason = "it is a backup"
    try await fixture.run("T", "wait", key, "wait")
    #expect(status.hasPrefix(" Nothing can be changed here"), "\(status)")
    #expect(fixture.run.screen.question == nil)
  }

  @Test func `a question that a screen has no line for is not asked`() async throws {
    try await fixture.run("T", "wait", "resize 80x1", "d", "wait", "y", "wait")
    #expect(try count(.trash) == 3)
  }
}
