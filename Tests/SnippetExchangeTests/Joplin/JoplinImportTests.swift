import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Folders that Joplin has exported.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct JoplinImportTests {
  let store: SnippetStore
  let joplin: JoplinTree
  var tree: FileTree { joplin.tree }

  init() throws {
    store = try TemporaryStore.open()
    joplin = try JoplinTree("joplin")
  }

  private func makeExport() throws {
    try joplin.item(1, 2, "Home", ["parent_id: "])
    try joplin.item(2, 2, "Kitchen", ["parent_id: \(JoplinTree.id(1))"])
    try joplin.item(3, 5, "shopping", ["parent_id: "])
    try joplin.item(4, 6, "", ["note_id: \(JoplinTree.id(5))", "tag_id: \(JoplinTree.id(3))"])
    try joplin.item(
      5,
      1,
      "List: of things\n\nMilk\n\nkey: value\n\n![](:/\(JoplinTree.id(6)))",
      [
        "parent_id: \(JoplinTree.id(2))", "created_time: 2020-01-02T03:04:05.678Z",
        "updated_time: 2021-02-03T04:05:06.789Z", "source_url: http://example.org/",
      ]
    )
    try joplin.item(6, 4, "photo.png", ["mime: image/png", "file_extension: png"])
    try tree.add("resources/\(JoplinTree.id(6)).png", Samples.png)
    try joplin.item(7, 1, "Only a title", ["parent_id: \(JoplinTree.id(7))"])
    try joplin.item(8, 4, "lost.png", ["mime: image/png", "file_extension: ../../png"])
  }

  @Test func `notes and resources come with titles, tags, dates and ids`() async throws {
    try makeExport()

    let report = try await store.importFiles(
      at: [tree.url],
      options: .init(tags: ["joplin"], makesTagsOfFolders: true)
    )

    // The file of one resource is missing.
    #expect(report[.imported] == 3 && report[.failed] == 1, "\(report)")
    let rows = try store.list(order: .byTitle).rows(in: 0..<9)
    #expect(rows.map(\.title) == ["List: of things", "Only a title", "photo.png"])
    #expect(rows[0].tags == ["Home", "joplin", "Kitchen", "shopping"])
    #expect(rows[0].createdAt.timeIntervalSince1970 == 1_577_934_245.678)
    #expect(rows[0].modifiedAt.timeIntervalSince1970 == 1_612_325_106.789)
    #expect(
      rows.map { $0.uuid.uuidString.filter { $0 != "-" }.lowercased() }
        == [JoplinTree.id(5), JoplinTree.id(7), JoplinTree.id(6)]
    )
    #expect(
      try await store.text(of: rows[0].id) == "Milk\n\nkey: value\n\n![](:/\(JoplinTree.id(6)))"
    )
    #expect(try await store.text(of: rows[1].id).isEmpty)
    #expect(try await store.content(of: rows[2].id) == Samples.png)
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 3)
  }

  @Test func `encrypted tags and notebooks are named, and make no tags`() async throws {
    let secret = ["encryption_applied: 1", "encryption_cipher_text: JED01"]
    try joplin.item(1, 2, "", secret)
    try joplin.item(2, 5, "", secret)
    try joplin.item(3, 1, "Plain", ["parent_id: \(JoplinTree.id(1))"])
    try joplin.item(4, 6, "", ["note_id: \(JoplinTree.id(3))", "tag_id: \(JoplinTree.id(2))"])

    let events = Lock<[ImportEvent]>([])
    let report = try await store.importFiles(
      at: [tree.url],
      options: .init(makesTagsOfFolders: true)
    ) { event in events.withLock { $0.append(event) } }

    #expect(report[.imported] == 1 && report[.failed] == 2 && report[.unsupported] == 1)
    #expect(try store.list().rows(in: 0..<9).map(\.tags) == [[]])
    let reasons = events.withLock {
      $0.filter { $0.outcome == .failed }.compactMap(\.error?.reason)
    }
    #expect(reasons == ["it is encrypted", "it is encrypted"])
  }

  @Test(arguments: [false, true])
  func `notebooks that become no tags are named once, with the option that makes tags of them`(
    areTags: Bool
  ) async throws {
    try makeExport()
    // Those around no note are not missing from any.
    try joplin.item(9, 2, "Empty", ["parent_id: \(JoplinTree.id(1))"])
    try joplin.item(10, 1, "More", ["parent_id: \(JoplinTree.id(2))"])

    let events = Lock<[ImportEvent]>([])
    try await store.importFiles(
      at: [tree.url],
      options: .init(makesTagsOfFolders: areTags)
    ) { event in events.withLock { $0.append(event) } }

    let named = events.withLock { events in
      events.compactMap(\.error).filter { $0.reason.contains("notebook") }
    }
    #expect(named.map(\.reason) == (areTags ? [] : ["its 2 notebooks did not become tags"]))
    #expect(named.allSatisfy { $0.recoverySuggestion?.contains("--folder-tags") == true })
  }

  @Test func `the fields of a note that a snippet has no place for are named once`() async throws {
    let fields = [
      "source_url: https://example.org/", "latitude: 48.1", "longitude: 0.00000000", "author: ",
      "is_todo: 1", "todo_due: 0", "markup_language: 1",
    ]
    try joplin.item(1, 1, "One", fields)
    try joplin.item(2, 1, "Two", ["markup_language: 2", "source_url: https://example.org/"])

    let events = Lock<[ImportEvent]>([])
    try await store.importFiles(at: [tree.url]) { event in events.withLock { $0.append(event) } }

    let named = events.withLock { $0.filter { $0.outcome == .leftOut }.compactMap(\.error?.reason) }
    #expect(named.count == 1)
    let names = "is_todo (1), latitude (1), markup_language (1), source_url (2)"
    #expect(named.first?.hasSuffix(names) == true, "\(named)")
  }

  @Test func `a note with a date that cannot be read has the next best`() async throws {
    try joplin.item(1, 1, "One", ["created_time: soon", "updated_time: 2021-02-03T04:05:06.789Z"])
    try joplin.item(2, 1, "Two", ["created_time: soon"])
    let written = Date(timeIntervalSince1970: 1_600_000_000)
    try FileManager.default.setAttributes(
      [.modificationDate: written],
      ofItemAtPath: tree.path("\(JoplinTree.id(2)).md")
    )

    let report = try await store.importFiles(at: [tree.url])

    #expect(report[.imported] == 2 && report[.unreadValue] == 2, "\(report)")
    let rows = try store.list(order: .byTitle).rows(in: 0..<9)
    #expect(rows.map(\.createdAt.timeIntervalSince1970) == [1_612_325_106.789, 1_600_000_000])
    #expect(rows.allSatisfy { $0.modifiedAt == $0.createdAt })
  }

  @Test func `a date of Joplin may be in milliseconds`() async throws {
    try joplin.item(1, 1, "One", ["created_time: 1577934245678", "updated_time: 1612325106789"])

    let report = try await store.importFiles(at: [tree.url])

    #expect(report[.imported] == 1 && report[.unreadValue] == 0, "\(report)")
    let row = try #require(try store.list().row(at: 0))
    #expect(row.createdAt.timeIntervalSince1970 == 1_577_934_245.678)
    #expect(row.modifiedAt.timeIntervalSince1970 == 1_612_325_106.789)
  }

  @Test func `a note in the trash of Joplin goes to the trash`() async throws {
    try joplin.item(1, 1, "Gone", ["deleted_time: 1709287872000"])
    try joplin.item(2, 1, "Here", ["deleted_time: 0"])

    try await store.importFiles(at: [tree.url])

    #expect(try store.list().rows(in: 0..<9).map(\.title) == ["Here"])
    #expect(try store.list(.trash).rows(in: 0..<9).map(\.title) == ["Gone"])
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
  }

  @Test(arguments: [[0xFF], [0], [0xC3, 0x28]] as [[UInt8]])
  func `a note with bytes that are no characters keeps them, and is marked`(
    bytes: [UInt8]
  ) async throws {
    let name = "\(JoplinTree.id(1)).md"
    let body = Data("né à l’été, ".utf8) + Data(bytes) + Data(" and more".utf8)
    let fields = "\n\nid: \(JoplinTree.id(1))\ntype_: 1"
    try tree.add(name, Data("A title\n\n".utf8) + body + Data(fields.utf8))

    let report = try await store.importFiles(at: [tree.url])

    #expect(report[.imported] == 1 && report[.unreadValue] == 0, "\(report)")
    let row = try #require(try store.list().rows(in: 0..<1).first)
    #expect(row.title == "A title" && row.facts.isIrregular)
    #expect(try await store.content(of: row.id) == body)
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 1)
  }

  @Test func `the size of it is that of its notes and resources`() async throws {
    try makeExport()

    let size = await store.sizeOfImport(of: [tree.url])

    #expect(size.fileCount == 4)
  }

  @Test func `lines may end as on Windows, and empty ones may follow the fields`() async throws {
    let text = "A title\r\n\r\nMilk\r\n\r\nkey: value\r\n\r\n"
    try tree.add("\(JoplinTree.id(1)).md", text + "id: \(JoplinTree.id(1))\r\ntype_: 1\r\n\r\n")

    #expect(try await store.importFiles(at: [tree.url])[.imported] == 1)
    let row = try #require(try store.list().rows(in: 0..<1).first)
    #expect(row.title == "A title")
    #expect(try await store.text(of: row.id) == "Milk\n\nkey: value")
  }

  @Test func `an item may begin with a byte order mark`() async throws {
    try joplin.item(1, 5, "\u{FEFF}home")
    try tree.add(
      "\(JoplinTree.id(2)).md",
      "\u{FEFF}note_id: \(JoplinTree.id(3))\ntag_id: \(JoplinTree.id(1))\nid: \(JoplinTree.id(2))\ntype_: 6"
    )
    try joplin.item(3, 1, "\u{FEFF}A title\n\nMilk")

    let report = try await store.importFiles(at: [tree.url])

    #expect(report[.imported] == 1 && report[.unsupported] == 0, "\(report)")
    let row = try #require(try store.list().rows(in: 0..<1).first)
    #expect(row.title == "A title" && row.tags == ["home"])
    #expect(row.title.utf8.count == 7)
    #expect(try await store.text(of: row.id) == "Milk")
  }

  @Test(arguments: ["type_ is no field here", "text\n\nid: 1\nno field\ntype_: 1", ""])
  func `a note that is only named like an item is a note`(text: String) async throws {
    try tree.add("\(JoplinTree.id(1)).md", text)
    try tree.add("other.md", "other")

    #expect(try await store.importFiles(at: [tree.url])[.imported] == 2)
  }

  @Test func `one file that ends as an item of Joplin does hides no other`() async throws {
    try joplin.item(1, 13, "", ["parent_id: "])
    for number in 0..<5 {
      try tree.add("\(number).md", "note \(number)")
      try tree.add("below/\(number).md", "note below \(number)")
    }

    let (report, leftOut) = try await importAll()

    #expect(report[.imported] == 10 && report[.failed] == 0, "\(report)")
    #expect(leftOut == ["\(JoplinTree.id(1)).md"])
  }

  @Test func `items among notes with names like theirs are notes too`() async throws {
    try joplin.item(1, 1, "A note\n\nthat was pasted", ["parent_id: "])
    try tree.add("\(JoplinTree.id(2)).md", "A note named by a number")
    try tree.add("below/list.md", "Milk")

    let (report, leftOut) = try await importAll()

    #expect(report[.imported] == 3 && leftOut.isEmpty, "\(report)")
    let titles = try store.list(order: .byTitle).rows(in: 0..<9).map(\.title)
    #expect(titles == [JoplinTree.id(1), JoplinTree.id(2), "list"])
  }

  @Test(arguments: [0, 9])
  func `an item that is damaged is named, and the others are items`(droppedCount: Int) async throws
  {
    try makeExport()
    let name = "\(JoplinTree.id(7)).md"
    let whole = try tree.text(name)
    try tree.add(name, droppedCount == 0 ? "" : String(whole.dropLast(droppedCount)))

    let events = Lock<[ImportEvent]>([])
    let report = try await store.importFiles(at: [tree.url]) { event in
      events.withLock { $0.append(event) }
    }

    #expect(report[.imported] == 2 && report[.failed] == 2, "\(report)")
    let damaged = events.withLock { $0.first { $0.file.lastPathComponent == name } }
    #expect(damaged?.error?.reason.contains("end is missing") == true, "\(report)")
    let titles = try store.list(order: .byTitle).rows(in: 0..<9).map(\.title)
    #expect(titles == ["List: of things", "photo.png"])
  }

  @Test func `what lies beside the items is imported with them, and each resource once`()
    async throws
  {
    try makeExport()
    try tree.add("added.md", "added")
    try tree.add("resources/added.png", Samples.png + Data([0]))
    try tree.add("below/added too.md", "added too")

    let (report, leftOut) = try await importAll()

    #expect(report[.imported] == 6 && report[.duplicate] == 0, "\(report)")
    #expect(leftOut.isEmpty)
    let again = try await importAll().report
    #expect(again[.unchanged] == 6 && again[.imported] == 0, "\(again)")
    #expect(await store.sizeOfImport(of: [tree.url]).fileCount == 7)
  }

  /// Imports the folder, and returns the names of the files that were left out.
  private func importAll() async throws -> (report: ImportReport, leftOut: [String]) {
    let names = Lock<[String]>([])
    let report = try await store.importFiles(at: [tree.url]) { event in
      guard event.outcome == .unsupported else { return }
      names.withLock { $0.append(event.file.lastPathComponent) }
    }
    return (report, names.withLock { $0 })
  }

  @Test func `its Markdown with front matter is a vault`() async throws {
    try tree.add(
      "Home/List.md",
      """
      ---
      title: "List: of things"
      updated: 2021-02-03 04:05:06Z
      created: 2020-01-02 03:04:05Z
      latitude: 0.00000000
      tags:
        - shopping
      ---

      ![](../_resources/photo.png)
      """
    )
    try tree.add("_resources/photo.png", Samples.png)

    #expect(try await store.importFiles(at: [tree.url])[.imported] == 2)

    let row = try #require(try store.list(order: .byTitle).row(at: 0))
    #expect(row.title == "List: of things" && row.tags == ["shopping"])
    #expect(row.createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(row.modifiedAt.timeIntervalSince1970 == 1_612_325_106)
  }
}
