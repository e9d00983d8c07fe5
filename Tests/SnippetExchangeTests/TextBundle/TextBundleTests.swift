import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Texts with their pictures in a folder, and archives of such.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct TextBundleTests {
  let store: SnippetStore
  let tree: FileTree
  private static let bear = """
    {"version": 2, "type": "net.daringfireball.markdown", "transient": false,
     "net.shinyfrog.bear": {"creationDate": "2020-01-02T03:04:05Z",
       "modificationDate": "2021-02-03T04:05:06Z", "pinned": 1, "archived": 0, "trashed": 0,
       "uniqueIdentifier": "0B4C-1", "lastEditingDevice": "Phone"}}
    """

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("notes")
  }

  private func importAll(
    _ url: URL? = nil,
    _ options: ImportOptions = .init()
  ) async throws -> (report: ImportReport, events: [ImportEvent]) {
    try await store.importAll([url ?? tree.url], options)
  }

  private func rows() throws -> [SnippetRow] {
    try store.list(order: .byTitle).rows(in: 0..<99)
  }

  @Test func `a bundle is one text with its heading, and its pictures are snippets`() async throws {
    try tree.add("Trip.textbundle/text.md", "# A long trip\n\nBy train #travel ![](assets/p.png)")
    try tree.add("Trip.textbundle/info.json", Self.bear)
    try tree.add("Trip.textbundle/assets/p.png", Samples.png)
    try tree.add("Trip.textbundle/assets/film.bin", Data([0, 1, 2, 3]))

    let (report, events) = try await importAll(nil, .init(makesTagsOfFolders: true))

    #expect(report[.imported] == 2 && report[.unsupported] == 1, "\(events)")
    let rows = try rows()
    #expect(rows.map(\.title) == ["A long trip", "p"])
    #expect(rows[0].tags == ["travel"] && rows[0].isPinned && rows[1].tags.isEmpty)
    #expect(rows[0].createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(rows[0].modifiedAt.timeIntervalSince1970 == 1_612_325_106)
    #expect(rows[1].createdAt.timeIntervalSince1970 == 1_577_934_245 && !rows[1].isPinned)
    let named = events.filter { $0.outcome == .leftOut }.compactMap(\.error?.reason)
    #expect(named.count == 1 && named[0].contains("lastEditingDevice (1)"), "\(named)")
    let again = try await importAll().report
    #expect(again[.unchanged] == 2 && again[.imported] == 0, "\(again)")
  }

  @Test func `a heading is found in any encoding, and ends before signs that repeat it`() {
    let wide = [UInt8]([0xFF, 0xFE]) + "# Größe\nmore".utf16.flatMap { [UInt8($0), 0] }
    let headings: [(Data, String?)] = [
      (Data(wide), "Größe"), (Data("\u{FEFF}# Marked\n".utf8), "Marked"),
      (Data("## Twice ##\n".utf8), "Twice"), (Data("# C#\n".utf8), "C#"),
      (Data("---\ntags: [a]\n---\n\n# Below\n".utf8), "Below"), (Data("# #\n".utf8), "#"),
      (Data("#tag\n".utf8), nil), (Data(), nil),
    ]
    for (head, heading) in headings {
      #expect(TextBundle.heading(head) == heading)
    }
  }

  @Test func `an empty tag says nothing, and one that does not fit is named`() {
    let description = TextBundle.description(JSONFields(["tags": ["", " ", "one", "two, three"]]))

    #expect(description.tags == ["one"] && description.unread.count == 1)
  }

  @Test(arguments: ["text.markdown", "text.txt", "Text.md"])
  func `without a heading a bundle has its own name`(text: String) async throws {
    try tree.add("below/Trip 2.textbundle/\(text)", "By train")
    try tree.add("below/Trip 2.textbundle/info.json", #"{"version": 1}"#)

    let report = try await importAll().report

    #expect(report[.imported] == 1)
    #expect(try rows().map(\.title) == ["Trip 2"])
  }

  @Test func `a bundle that was changed updates its text and its title`() async throws {
    try tree.add("Trip.textbundle/text.md", "# Trip\n\nBy train #travel")
    try tree.add("Trip.textbundle/info.json", Self.bear)
    _ = try await importAll()
    try tree.add("Trip.textbundle/text.md", "# Long trip\n\nBy train and ship #sea")

    let report = try await importAll().report

    #expect(report[.updated] == 1, "\(report)")
    let row = try #require(try rows().first)
    #expect(row.title == "Long trip" && row.tags == ["sea"])
    #expect(row.modifiedAt.timeIntervalSince1970 == 1_612_325_106)
  }

  @Test func `front matter that an export puts above the heading leaves the title alone`()
    async throws
  {
    try tree.add("Trip.textbundle/text.md", "# Trip to Rome\n")
    try tree.add("Trip.textbundle/info.json", #"{"version": 2}"#)
    _ = try await importAll()
    let row = try #require(try rows().first)
    try await store.apply(SnippetEdit(addedTags: ["new"]), to: row.id)
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)

    let report = try await importAll().report

    #expect(report[.unchanged] == 1 && report[.updated] == 0, "\(report)")
    #expect(try rows().map(\.title) == ["Trip to Rome"])
  }

  @Test func `a tag of several words comes in, and an export leaves it alone`() async throws {
    let text = "# Trip in C# and F#\n\n#two words# #work/big plans# C# and F# are"
    try tree.add("Trip.textbundle/text.md", text)
    try tree.add("Trip.textbundle/info.json", Self.bear)
    _ = try await importAll()
    #expect(try rows().map(\.tags) == [["two words", "work/big plans"]])

    try await store.exportMarkdown(to: tree.url)
    #expect(try tree.text("Trip.textbundle/text.md") == text)
    let again = try await importAll().report
    #expect(again[.unchanged] == 1 && again[.updated] == 0, "\(again)")

    try tree.add("Trip.textbundle/text.md", "# Trip in C# and F#\n\n#work/big plans#\n")
    #expect(try await importAll().report[.updated] == 1)
    #expect(try rows().map(\.tags) == [["work/big plans"]])
  }

  @Test func `the first of several words of a tag was not removed in another folder`()
    async throws
  {
    try tree.add("Trip.textbundle/text.md", "Trip\n\n#two words# #work/big plans# #gone")
    try tree.add("Trip.textbundle/info.json", Self.bear)
    _ = try await importAll()
    let plain = TemporaryDirectory.file("plain")

    for _ in 0..<2 {
      let report = try await store.exportMarkdown(to: plain)
      #expect(report[.incomplete] == 0, "\(report)")
    }

    let row = try #require(try rows().first)
    try await store.apply(SnippetEdit(removedTags: ["gone"]), to: row.id)
    let lacks = Lock<[String]>([])
    try await store.exportMarkdown(to: plain) { event in
      if let error = event.error { lacks.withLock { $0.append(error.operation) } }
    }
    let named = lacks.withLock { $0 }
    #expect(named.count == 1 && named[0].contains("the tag “gone” of"), "\(named)")
    // Elsewhere in the text the word is a tag, and it was removed.
    let edit = SnippetEdit(text: "Trip\n\n#two words# #work/big plans# #two")
    try await store.apply(edit, to: row.id)
    #expect(try await store.exportMarkdown(to: plain)[.incomplete] == 1)
  }

  @Test func `an archive of one bundle, with a folder around it or without, is one text`()
    async throws
  {
    let bare = SampleArchive([
      .init("info.json", Self.bear), .init("text.md", "By ship"),
      .init("assets/p.png", Samples.png),
    ])
    let packed = SampleArchive([
      .init("Walk.textbundle/info.json", Self.bear.replacing("0B4C-1", with: "0B4C-2")),
      .init("Walk.textbundle/text.md", "On foot"),
    ])
    let events = try await importAll(tree.add("Ship.textpack", bare.bytes(.zip))).events
    #expect(!events.contains { $0.outcome == .failed }, "\(events)")
    _ = try await importAll(tree.add("Walk.textpack", packed.bytes(.zip)))

    #expect(try rows().map(\.title) == ["p", "Ship", "Walk"])
  }

  @Test func `a backup of Bear brings all notes, those in its trash into the trash`() async throws {
    let trashed = Self.bear.replacing(#""trashed": 0"#, with: #""trashed": 1"#)
    let archived = Self.bear.replacing(#""archived": 0"#, with: #""archived": 1"#)
    let backup = SampleArchive([
      .init("Bear Notes/A.textbundle/info.json", Self.bear),
      .init("Bear Notes/A.textbundle/text.md", "# A\n#work/plans"),
      .init("Bear Notes/B.textbundle/info.json", trashed),
      .init("Bear Notes/B.textbundle/text.md", "# B"),
      .init("Bear Notes/C.textbundle/info.json", archived),
      .init("Bear Notes/C.textbundle/text.md", "# C"),
    ])

    let url = try tree.add("Backup.bear2bk", backup.bytes(.zip))
    let (report, events) = try await importAll(url)

    #expect(report[.imported] == 3, "\(events)")
    #expect(try rows().map(\.title) == ["A", "C"])
    #expect(try rows().map(\.tags) == [["work/plans"], ["archived"]])
    #expect(try store.list(.trash).rows(in: 0..<9).map(\.title) == ["B"])
    let again = try await importAll(url).report
    #expect(again[.unchanged] == 3 && again[.broughtBack] == 0, "\(again)")
  }

  @Test func `a note follows the backups of Bear under whatever names, and never back`()
    async throws
  {
    func backup(_ name: String, _ text: String, month: String) throws -> URL {
      let archive = SampleArchive([
        .init("\(text).textbundle/info.json", Self.bear.replacing("2021-02", with: month)),
        .init("\(text).textbundle/text.md", text),
      ])
      return try tree.add(name, archive.bytes(.zip))
    }
    let first = try backup("Bear 2024-01.bear2bk", "By train", month: "2024-01")
    let second = try backup("Bear 2024-02.bear2bk", "By ship", month: "2024-02")
    _ = try await importAll(first)
    let id = try #require(try rows().first).id

    let (report, events) = try await importAll(second)

    #expect(report[.updated] == 1 && report[.imported] == 0, "\(events)")
    #expect(try await store.text(of: id) == "By ship")
    #expect(try rows().map(\.title) == ["By ship"])
    let (older, olderEvents) = try await importAll(first)
    #expect(older[.updated] == 0 && older[.unchanged] == 0, "\(olderEvents)")
    let reasons = olderEvents.compactMap(\.error?.reason)
    #expect(reasons.contains { $0.hasPrefix("it is an older version") })
    #expect(try await importAll(second).report[.unchanged] == 1)
    #expect(try await store.text(of: id) == "By ship")
    #expect(try rows().count == 1)
  }

  @Test(arguments: [true, false])
  func `notes of one title keep their snippets when Bear exchanges their names`(
    isPacked: Bool
  ) async throws {
    func export(_ names: [String]) throws -> URL {
      let members = zip(names, ["first", "second"]).flatMap { name, text in
        [
          ("\(name).textbundle/info.json", Self.bear.replacing("0B4C-1", with: text)),
          ("\(name).textbundle/text.md", text),
        ]
      }
      guard !isPacked else {
        let archive = SampleArchive(members.map { .init($0.0, $0.1) })
        return try tree.add("Backup.bear2bk", archive.bytes(.zip))
      }
      for (path, text) in members { try tree.add(path, text) }
      return tree.url
    }
    _ = try await importAll(export(["N", "N 2"]))
    let row = try #require(try rows().first { $0.preview == "first" })
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: row.id)

    let (report, events) = try await importAll(export(["N 2", "N"]))

    #expect(report[.imported] == 0 && report[.updated] == 0, "\(events)")
    #expect(try await store.text(of: row.id) == "first")
    #expect(try store.row(row.id)?.tags == ["mine"])
    #expect(try rows().count == 2)
  }

  @Test(arguments: ["{\"version\": 2, ", nil])
  func `a bundle without information that can be read has its own name`(info: String?) async throws
  {
    try tree.add("Trip.textbundle/text.md", "By train")
    if let info { try tree.add("Trip.textbundle/info.json", info) }

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && report[.leftOut] == 0, "\(events)")
    #expect(try rows().map(\.title) == ["Trip"])
    let reasons = events.filter { $0.outcome == .unreadValue }.compactMap(\.error?.reason)
    #expect(reasons == (info == nil ? [] : ["the info.json beside it cannot be read"]))
  }

  @Test func `a folder that is only named like a bundle is a folder, and named`() async throws {
    try tree.add("Trip.textbundle/note.md", "note")

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && report[.leftOut] == 1, "\(events)")
  }

  @Test func `the address of a source is named`() async throws {
    try tree.add("T.textbundle/text.md", "text")
    try tree.add("T.textbundle/info.json", #"{"version": 2, "sourceURL": "https://example.org/"}"#)

    let events = try await importAll().events

    let event = try #require(events.first { $0.outcome == .unreadValue })
    #expect(event.error?.reason.contains("https://example.org/") == true)
  }
}
