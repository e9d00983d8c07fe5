import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Notes of Google Keep that are imported again after an edit there.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct KeepUpdateTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("Keep")
  }

  private func note(
    _ text: String,
    title: String = "M",
    created: Int = 1,
    edited: Int = 1_612_325_106,
    _ more: String = ""
  ) -> String {
    """
    {"title": "\(title)", "textContent": "\(text)"\(more),
     "userEditedTimestampUsec": \(edited)789000, "createdTimestampUsec": \(created)000000}
    """
  }

  private func importAll() async throws -> (report: ImportReport, events: [ImportEvent]) {
    try await store.importAll([tree.url])
  }

  private func onlyRow() throws -> SnippetRow {
    let rows = try store.list().rows(in: 0..<9)
    #expect(rows.count == 1)
    return try #require(rows.first)
  }

  @Test func `notes of one title keep their snippets when Google exchanges their names`()
    async throws
  {
    try tree.add("M.json", note("Berlin", created: 1))
    try tree.add("M(1).json", note("Paris", created: 2))
    _ = try await importAll()
    let row = try #require(try store.list().rows(in: 0..<9).first { $0.preview == "Berlin" })
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: row.id)
    try tree.add("M.json", note("Paris", created: 2))
    try tree.add("M(1).json", note("Berlin and more", created: 1))

    let (report, events) = try await importAll()

    #expect(report[.updated] == 1 && report[.unchanged] == 1, "\(events)")
    #expect(try await store.text(of: row.id) == "Berlin and more")
    #expect(try store.row(row.id)?.tags == ["mine"] && store.list().count == 2)
    #expect(try await importAll().report[.unchanged] == 2)
  }

  @Test func `a note whose file was given by itself follows it`() async throws {
    let urls = [
      try tree.add("M.json", note("Berlin")),
      try tree.add("N.json", note("Rome", title: "N", created: 2)),
    ]
    #expect(try await store.importAll(urls).report[.imported] == 2)
    let id = try #require(try store.list().rows(in: 0..<9).first { $0.title == "M" }?.id)
    try tree.add("M.json", note("Berlin and more"))

    let (report, events) = try await store.importAll(urls)

    #expect(report[.updated] == 1 && report[.unchanged] == 1, "\(events)")
    #expect(try await store.text(of: id) == "Berlin and more")
    // An edit in the store counts as in a folder.
    try await store.apply(SnippetEdit(text: "Paris"), to: id)
    #expect(try await store.importAll(urls).report[.unchanged] == 2)
    #expect(try await store.text(of: id) == "Paris" && store.list().count == 2)
  }

  @Test func `a note that was given by itself twice gives back nothing that a person took away`()
    async throws
  {
    // The place of such files is known before the folder.
    _ = try await store.importAll([try tree.add("any.txt", "any")])
    let folder = try FileTree("Takeout")
    try folder.add("M.json", note("Berlin"))
    #expect(try await store.importAll([folder.url]).report[.imported] == 1)
    let labels = #", "isPinned": true, "labels": [{"name": "home"}]"#
    let urls = [
      try tree.add("M.json", note("Rome", labels)),
      try tree.add("N.json", note("Oslo", title: "N", created: 2)),
    ]
    #expect(try await store.importAll(urls).report[.updated] == 1)
    let row = try store.row(titled: "M")
    #expect(row.isPinned && row.tags == ["home"])
    try await store.apply(SnippetEdit(isPinned: false, removedTags: ["home"]), to: row.id)
    let edited = try store.row(row.id)

    let (report, events) = try await store.importAll(urls)

    #expect(report[.unchanged] == 2 && report[.updated] == 0, "\(events)")
    #expect(try store.row(row.id) == edited)
    // The next version is no conflict.
    try tree.add("M.json", note("Paris", labels))
    #expect(try await store.importAll(urls).report[.updated] == 1)
    #expect(try await store.text(of: row.id) == "Paris" && store.list().count == 3)
    #expect(try store.row(row.id)?.tags == [])
  }

  @Test func `of two states of a note the one with its content is the last`() async throws {
    _ = try await store.importAll([try tree.add("any.txt", "any")])
    let former = try FileTree("former")
    try former.add("M.json", note("Berlin"))
    _ = try await store.importAll([former.url])
    let urls = [
      try tree.add("M.json", note("Rome")),
      try tree.add("N.json", note("Oslo", title: "N", created: 2)),
    ]
    #expect(try await store.importAll(urls).report[.updated] == 1)
    let other = try FileTree("other")
    try other.add("M.json", note("Paris"))

    let (report, events) = try await store.importAll([other.url])

    #expect(report[.updated] == 1 && report[.conflict] == 0, "\(events)")
    #expect(try store.list().count == 3)
  }

  @Test(arguments: [[0, 1, 0, 1], [1, 0, 1], [1, 0, 0]])
  func `an older version of a note replaces no newer one, and is named`(
    order: [Int]
  ) async throws {
    let exports = [try FileTree("first"), try FileTree("second")]
    try exports[0].add("M.json", note("Berlin", edited: 1_700_000_000))
    try exports[1].add("M.json", note("Berlin and more", edited: 1_700_000_011))
    var isNew = false
    for number in order {
      let (report, events) = try await store.importAll([exports[number].url])

      let isOlder = isNew && number == 0
      #expect(report[.leftOut] == (isOlder ? 1 : 0), "\(events)")
      #expect(report[.unchanged] == (isNew && number == 1 ? 1 : 0), "\(events)")
      let reasons = events.compactMap(\.error?.reason)
      #expect(reasons.contains { $0.hasPrefix("it is an older version") } == isOlder)
      // Each file moves the progress on.
      #expect(events.count { !$0.isNotice } == 1, "\(events)")
      let size = await store.sizeOfImport(of: [exports[number].url])
      #expect(events.reduce(0) { $0 + ($1.byteCount ?? 0) } == size.byteCount, "\(events)")
      if number == 1 { isNew = true }
    }
    #expect(try await store.text(of: onlyRow().id) == "Berlin and more")
    // The same folder may be replaced by an older one.
    try exports[1].add("M.json", note("Berlin", edited: 1_700_000_000))
    #expect(try await store.importAll([exports[1].url]).report[.leftOut] == 1)
    #expect(try await store.text(of: onlyRow().id) == "Berlin and more")
  }

  @Test(arguments: [true, false])
  func `a text that was made of a note goes although a file of the note is missing`(
    hasWords: Bool
  ) async throws {
    let attachments = #", "attachments": [{"filePath": "lost.png", "mimetype": "image/png"}]"#
    let words = hasWords ? "Berlin" : ""
    let urls = [
      try tree.add("M.json", note(words, title: hasWords ? "M" : "", attachments)),
      try tree.add("N.json", note("Oslo", title: "N", created: 2)),
    ]
    #expect(try await store.importAll([urls[0]]).report[.imported] == 1)
    let id = try onlyRow().id

    let (report, events) = try await store.importAll(urls)

    // Without words and pictures the note says nothing, and the text stays.
    #expect(report[.imported] == (hasWords ? 2 : 1) && report[.failed] == 1, "\(events)")
    #expect(try (store.row(id)?.deletedAt != nil) == hasWords)
    #expect(try store.list().count == 2)
  }

  @Test func `a note by itself that was edited on both sides stays in two versions, once`()
    async throws
  {
    let urls = [
      try tree.add("M.json", note("Berlin")),
      try tree.add("N.json", note("Oslo", title: "N", created: 2)),
    ]
    _ = try await store.importAll(urls)
    let id = try store.row(titled: "M").id
    try await store.apply(SnippetEdit(text: "Paris"), to: id)
    try tree.add("M.json", note("Rome"))
    #expect(try await store.importAll(urls).report[.conflict] == 1)

    let (report, events) = try await store.importAll(urls)

    #expect(report[.unchanged] == 2 && report[.conflict] == 0, "\(events)")
    #expect(try await store.text(of: id) == "Paris" && store.list().count == 3)
  }

  @Test func `a note that another one takes the name of counts as gone`() async throws {
    try tree.add("M.json", note("Berlin", created: 1))
    try tree.add("M(1).json", note("Paris", created: 2))
    _ = try await importAll()
    let row = try #require(try store.list().rows(in: 0..<9).first { $0.preview == "Berlin" })
    try tree.remove("M(1).json")
    try tree.add("M.json", note("Paris", created: 2))

    let options = ImportOptions(movesMissingToTrash: true)
    let (report, events) = try await store.importAll([tree.url], options)

    #expect(report[.trashed] == 1 && report[.unchanged] == 1, "\(events)")
    #expect(try store.list(.trash).rows(in: 0..<9).map(\.id) == [row.id])
  }

  @Test func `a note that was edited on both sides stays in both versions`() async throws {
    try tree.add("M.json", note("Berlin"))
    _ = try await importAll()
    let id = try onlyRow().id
    try await store.apply(SnippetEdit(text: "Paris"), to: id)
    try tree.add("M.json", note("Rome"))
    #expect(try await importAll().report[.conflict] == 1)
    try tree.add("M.json", note("Rome again"))

    #expect(try await importAll().report[.updated] == 1)

    #expect(try await store.text(of: id) == "Paris" && store.list().count == 2)
  }

  @Test(arguments: [false, true])
  func `a title that is given later replaces that of the first line`(isEdited: Bool) async throws {
    try tree.add("M.json", note("Berlin", title: ""))
    _ = try await importAll()
    let id = try onlyRow().id
    #expect(try store.row(id)?.title == "Berlin")
    // A title that was made of the text follows it.
    if isEdited { try await store.apply(SnippetEdit(text: "Paris"), to: id) }
    try tree.add("M.json", note("Berlin", title: "Recipe"))

    #expect(try await importAll().report[.updated] == 1)

    #expect(try store.row(id)?.title == "Recipe")
    try tree.add("M.json", note("Rome", title: ""))
    guard !isEdited else { return }
    #expect(try await importAll().report[.updated] == 1)
    #expect(try store.row(id)?.title == "Rome")
  }

  @Test func `a pin follows, and one that a person took away stays off`() async throws {
    try tree.add("M.json", note("Berlin"))
    _ = try await importAll()
    let id = try onlyRow().id
    try tree.add("M.json", note("Berlin", #", "isPinned": true"#))
    #expect(try await importAll().report[.updated] == 1)
    #expect(try store.row(id)?.isPinned == true)
    try await store.apply(SnippetEdit(isPinned: false), to: id)
    try tree.add("M.json", note("Berlin and more", #", "isPinned": true"#))

    #expect(try await importAll().report[.updated] == 1)

    #expect(try store.row(id)?.isPinned == false)
    try await store.apply(SnippetEdit(isPinned: true), to: id)
    try tree.add("M.json", note("Berlin and more"))
    #expect(try await importAll().report[.updated] == 1)
    #expect(try store.row(id)?.isPinned == false)
  }

  @Test func `a note that went to the trash there is named, once`() async throws {
    try tree.add("M.json", note("Berlin"))
    _ = try await importAll()
    try tree.add("M.json", note("Berlin", #", "isTrashed": true"#))

    let (report, events) = try await importAll()

    #expect(report[.unchanged] == 1 && report[.unreadValue] == 1, "\(events)")
    #expect(events.contains { $0.error?.reason.contains("in the trash there") == true })
    #expect(try onlyRow().deletedAt == nil)
    #expect(try await importAll().report[.unreadValue] == 0)
    // In the trash of both it stays there.
    try await store.moveToTrash([try onlyRow().id])
    #expect(try await importAll().report[.unchanged] == 1)
    #expect(try store.list(.trash).count == 1)
  }
}
