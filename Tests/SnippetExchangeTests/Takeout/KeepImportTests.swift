import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Notes of Google Keep, as Google Takeout packs them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct KeepImportTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("takeout")
  }

  private func note(_ name: String, _ fields: String, created: Int = 1_577_934_245_678_000) throws {
    try tree.add(
      "Takeout/Keep/\(name).json",
      """
      {"color": "DEFAULT", "isTrashed": false, "isPinned": false, "isArchived": false, \(fields),
       "userEditedTimestampUsec": 1612325106789000, "createdTimestampUsec": \(created)}
      """
    )
    try tree.add("Takeout/Keep/\(name).html", "<html>\(name)</html>")
  }

  private func importAll() async throws -> (report: ImportReport, events: [ImportEvent]) {
    try await store.importAll([tree.url])
  }

  @Test func `a note comes with its title, text, labels, dates and pin`() async throws {
    try note(
      "Shopping",
      #"""
      "title": "Shopping", "textContent": "Milk\nBread", "labels": [{"name": "home"}],
      "textContentHtml": "<p>Milk</p>", "isPinned": true
      """#
    )

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && report[.leftOut] == 1, "\(events)")
    let row = try store.row(titled: "Shopping")
    #expect(try await store.text(of: row.id) == "Milk\nBread")
    #expect(row.tags == ["home"] && row.isPinned)
    #expect(row.createdAt.timeIntervalSince1970 == 1_577_934_245.678)
    #expect(row.modifiedAt.timeIntervalSince1970 == 1_612_325_106.789)
    let reason = events.first { $0.outcome == .leftOut }?.error?.reason
    #expect(reason == "one page in HTML in it repeats the note beside it")
  }

  @Test func `a word with a number sign was no tag, so an export names no removal`() async throws {
    try note("Trip", #""title": "Trip", "textContent": "By train #inlinetag""#)
    _ = try await importAll()

    let report = try await store.exportMarkdown(to: TemporaryDirectory.file("out"))

    #expect(report[.exported] == 1 && report[.incomplete] == 0, "\(report)")
  }

  @Test(arguments: [false, true])
  func `the file of a note in the trash goes with it, unless its page would stay`(hasPage: Bool)
    async throws
  {
    try note("Trip", #""title": "Trip", "textContent": "By train""#)
    if !hasPage { try tree.remove("Takeout/Keep/Trip.html") }
    try tree.add("other.md", "Another")
    _ = try await importAll()
    try await store.moveToTrash([try store.row(titled: "Trip").id])

    let report = try await store.exportMarkdown(
      to: tree.url,
      options: .init(trashedFiles: .move(to: TemporaryDirectory.file("bin")))
    )

    #expect(report[.trashed] == (hasPage ? 0 : 1), "\(report)")
    #expect(report[.conflict] == (hasPage ? 1 : 0), "\(report)")
    #expect(try FileTree.files(in: tree.url).contains("Takeout/Keep/Trip.json") == hasPage)
  }

  @Test func `a page without the JSON of its note stays a text, and is named`() async throws {
    try note("Shopping", #""title": "Shopping", "textContent": "Milk""#)
    let page = """
      <html><head><title>Old</title></head><body><div class="note RED"><div class="heading">
      Apr 15, 2021, 7:07:43 PM</div><div class="content">Milk</div></div></body></html>
      """
    try tree.add("Takeout/Keep/Old.html", page)
    try tree.add("Takeout/Keep/Other.html", "<html>Other</html>")
    try tree.add("pages/Old.html", page.replacing("Milk", with: "Bread"))

    let (report, events) = try await importAll()

    #expect(report[.imported] == 4 && report[.leftOut] == 3, "\(events)")
    let outcomes = events.filter { $0.file.path.hasSuffix("Keep/Old.html") }.map(\.outcome)
    #expect(Set(outcomes) == [.imported, .leftOut])
    let reasons = events.compactMap(\.error?.reason).filter { $0.hasSuffix("a text in HTML") }
    #expect(reasons.count == 2, "\(events)")
  }

  @Test func `a note in damaged JSON is its page, and the JSON is named`() async throws {
    let page = """
      <html><head><title>Cut</title></head><body><div class="note RED"><div class="heading">
      Apr 15, 2021, 7:07:43 PM</div><div class="content">Milk</div></div></body></html>
      """
    try tree.add("Takeout/Keep/Cut.html", page)
    try tree.add("Takeout/Keep/Cut.json", #"{"title": "Cut", "textContent": "Mi"#)

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && report[.leftOut] == 1, "\(events)")
    let imported = events.filter { $0.outcome == .imported }.map(\.file.lastPathComponent)
    #expect(imported == ["Cut.html"])
    let reason = events.first { $0.outcome == .leftOut }?.error?.reason
    #expect(reason?.hasPrefix("its JSON is damaged, so Cut.html beside it") == true, "\(events)")
  }

  @Test func `a value of a type that Keep does not write is named, and the others are read`() throws
  {
    let json = #"""
      {"title": 7, "textContent": "Milk", "createdTimestampUsec": "1577934245678000",
       "isPinned": "true", "isTrashed": "perhaps", "labels": [{"name": "home"}, "work", {"name": 5}],
       "listContent": [{"text": ["a"], "textHtml": "<p>"}, "b"], "attachments": [{"mimetype": "a/b"}],
       "annotations": [{"description": "d", "url": "https://example.org/"}]}
      """#

    let read = JSONFields(Data(json.utf8)).flatMap(KeepNote.init)
    let note = try #require(read)

    let description = note.description
    #expect(description.title == nil && description.tags == ["home"])
    #expect(description.isPinned && !description.isTrashed && description.createdAt != nil)
    #expect(
      description.unreadNames.sorted() == [
        "annotations.description", "isTrashed", "labels", "labels.name", "listContent",
        "listContent.text", "title",
      ]
    )
  }

  @Test func `a byte that is no character costs itself, and is named`() throws {
    var json = Data(#"{"title": "caf"#.utf8)
    json.append(0xE9)
    json += Data(
      #"", "textContent": "\ud83d a \ude00 \ud83d\ude00 \\ud83d \u00e9", "createdTimestampUsec": 1}"#
        .utf8
    )

    let read = JSONFields(json).flatMap(KeepNote.init)
    let note = try #require(read)

    #expect(note.description.title == "caf\u{FFFD}")
    #expect(note.text == "\u{FFFD} a \u{FFFD} 😀 \\ud83d é")
    let reasons = note.description.unread.map(\.reason)
    #expect(reasons == ["some bytes in it are not characters; they are shown as �"])
  }

  @Test func `a line end within a text of JSON stays one`() throws {
    let fields = #""title": "t", "createdTimestampUsec": 1, "textContent""#
    let json = "{\(fields): \"Milk\nEggs\t1\"\n}"

    let read = JSONFields(Data(json.utf8)).flatMap(KeepNote.init)
    let note = try #require(read)

    #expect(note.text == "Milk\nEggs\t1" && note.description.unread.isEmpty)
  }

  @Test(arguments: [#"{"title": "\"#, #"{"title": "\ud83d"#, "", "{\"a", #"{"a": "\u12"#])
  func `JSON that is cut short is none`(json: String) {
    #expect(JSONFields(Data(json.utf8)) == nil)
  }

  @Test func `a text that is there in HTML alone is read, or named without the library`() throws {
    let json = #"""
      {"createdTimestampUsec": 1, "textContent": "",
       "textContentHtml": "<p dir=\"ltr\"><span>Milk</span></p><p><b>Bread</b></p>",
       "listContent": [{"textHtml": "<p>Eggs</p>", "isChecked": true}]}
      """#

    let read = JSONFields(Data(json.utf8)).flatMap(KeepNote.init)
    let note = try #require(read)

    if XMLParts.isAvailable {
      #expect(note.text == "Milk\n\n**Bread**\n\n- [x] Eggs")
      #expect(note.description.unreadNames.isEmpty, "\(note.description.unreadNames)")
    } else {
      let names = note.description.unreadNames.sorted()
      #expect(names == ["listContent.textHtml", "textContentHtml"])
    }
  }

  @Test func `a title that is too long is cut and named`() throws {
    let json = #"{"title": "\#(String(repeating: "t", count: 2000))", "createdTimestampUsec": 1}"#

    let read = JSONFields(Data(json.utf8)).flatMap(KeepNote.init)
    let description = try #require(read).description

    #expect(description.unread.map(\.reason) == ["the title was cut to 1000 characters"])
  }

  @Test func `a list becomes a list of tasks, and links stay`() async throws {
    try note(
      "List",
      #"""
      "title": "List", "listContent": [{"text": "Milk", "isChecked": true},
        {"text": "Bread", "isChecked": false}],
      "annotations": [{"title": "A shop", "url": "https://example.org/", "source": "WEBLINK"}]
      """#
    )

    _ = try await importAll()

    #expect(
      try await store.text(of: store.row(titled: "List").id)
        == "- [x] Milk\n- [ ] Bread\n\n[A shop](https://example.org/)"
    )
  }

  @Test func `pictures of a note are snippets with its title, date and labels`() async throws {
    try note(
      "Trip",
      #"""
      "title": "Trip", "textContent": "By train", "labels": [{"name": "travel"}],
      "attachments": [{"filePath": "a1.jpeg", "mimetype": "image/jpeg"},
        {"filePath": "lost.png", "mimetype": "image/png"}]
      """#
    )
    // Google names some files by another extension than it tells.
    try tree.add("Takeout/Keep/a1.png", Samples.png)

    let (report, events) = try await importAll()

    #expect(report[.imported] == 2 && report[.failed] == 1, "\(events)")
    let picture = try #require(
      try store.list().rows(in: 0..<9).first { $0.kind == .image && $0.title == "Trip" }
    )
    #expect(picture.tags == ["travel"])
    #expect(picture.createdAt.timeIntervalSince1970 == 1_577_934_245.678)
    #expect(events.contains { $0.error?.reason.contains("lost.png") == true })
  }

  @Test func `the pictures of a note without words have its pin and name what it has besides`()
    async throws
  {
    try note(
      "Photo",
      #"""
      "isPinned": true, "labels": [{"name": "a,b"}], "sharees": [{"email": "a@example.org"}],
      "attachments": [{"filePath": "a1.png", "mimetype": "image/png"},
        {"filePath": "a2.wav", "mimetype": "audio/wav"}]
      """#
    )
    try tree.add("Takeout/Keep/a1.png", Samples.png)
    try tree.add("Takeout/Keep/a2.wav", Samples.wav())

    let (report, events) = try await importAll()

    #expect(report[.imported] == 2 && report[.unreadValue] == 1, "\(events)")
    #expect(try store.list().rows(in: 0..<9).allSatisfy(\.isPinned))
    #expect(events.contains { $0.error?.reason.hasSuffix("its files: sharees (1)") == true })
  }

  @Test func `trashed notes are in the trash, archived ones have a tag, and again nothing is new`()
    async throws
  {
    try note("Old", #""title": "Old", "textContent": "old", "isTrashed": true"#, created: 1_000_000)
    try note("Kept", #""title": "Kept", "textContent": "kept", "isArchived": true"#)

    let (report, events) = try await importAll()

    #expect(report[.imported] == 2, "\(events)")
    #expect(try store.row(titled: "Kept").tags == ["archived"])
    #expect(try store.list(.trash).rows(in: 0..<9).map(\.title) == ["Old"])
    let again = try await importAll().report
    #expect(again[.imported] == 0 && again[.broughtBack] == 0 && again[.unchanged] == 2, "\(again)")
    #expect(try store.list(.trash).rows(in: 0..<9).count == 1)
  }

  @Test func `a later export updates the notes, even renamed ones`() async throws {
    try note("A", #""title": "A", "textContent": "Milk""#)
    _ = try await importAll()
    let id = try store.row(titled: "A").id
    try tree.remove("Takeout/Keep")
    try note("B", #""title": "B", "textContent": "Milk and eggs""#)

    let (report, events) = try await importAll()

    #expect(report[.updated] == 1 && report[.imported] == 0, "\(events)")
    #expect(try store.row(titled: "B").id == id)
  }

  @Test func `notes that were made at the same moment are different ones`() async throws {
    try note("A", #""title": "A", "textContent": "one""#)
    try note("B", #""title": "B", "textContent": "two""#)

    let report = try await importAll().report

    #expect(report[.imported] == 2 && report[.conflict] == 0, "\(report)")
    let again = try await importAll().report
    #expect(again[.unchanged] == 2, "\(again)")
  }

  @Test func `notes without the moment at which they were made are different ones`() async throws {
    let edited = #""userEditedTimestampUsec": 1600000000000000"#
    for title in ["Alpha", "Beta"] {
      try tree.add("\(title).json", #"{"title": "\#(title)", "textContent": "", \#(edited)}"#)
    }

    let (report, events) = try await importAll()

    #expect(report[.imported] == 2 && report[.updated] == 0, "\(events)")
    for title in ["Alpha", "Beta"] {
      let row = try store.row(titled: title)
      #expect(row.createdAt.timeIntervalSince1970 == 1_600_000_000)
      #expect(row.modifiedAt == row.createdAt)
    }
    #expect(try await importAll().report[.unchanged] == 2)
  }

  @Test func `a note without a title and text has none in another store`() async throws {
    try note("A", #""title": "", "textContent": """#)
    try note(
      "B",
      #""title": "", "textContent": "", "labels": [{"name": "home"}]"#,
      created: 1_577_934_245_679_000
    )
    _ = try await importAll()
    let vault = tree.url.appendingPathComponent("vault")
    #expect(try await store.exportMarkdown(to: vault)[.exported] == 2)
    let other = try TemporaryStore.open("other.sqlite")

    #expect(try await other.importAll([vault]).report[.imported] == 2)

    let rows = try other.list().rows(in: 0..<9)
    #expect(rows.map(\.title) == ["", ""] && Set(rows.map(\.tags)) == [[], ["home"]])
    // Once it has a name, that is its title.
    let name = try #require(rows.first { $0.tags.isEmpty }?.id)
    let file = try #require(try await other.origins(of: name).first?.url)
    try FileManager.default.moveItem(at: file, to: vault.appendingPathComponent("Soup.md"))
    #expect(try await other.importAll([vault]).report[.failed] == 0)
    #expect(try other.row(name)?.title == "Soup")
  }

  @Test func `what a store has no place for is named once`() async throws {
    try note(
      "A",
      #""title": "A", "textContent": "one", "sharees": [{"email": "a@example.org"}]"#
    )
    try tree.add("Takeout/Keep/Labels.txt", "home\n")

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && report[.leftOut] == 3, "\(events)")
    #expect(events.contains { $0.error?.reason.hasSuffix("its files: sharees (1)") == true })
  }
}
