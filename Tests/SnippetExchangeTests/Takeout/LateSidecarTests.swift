import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Facts about pictures and texts that are in the store before the file that tells them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LateSidecarTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  private func json(
    _ description: String = "We swam",
    people: [String] = ["Anna"],
    _ more: String = ""
  ) -> String {
    let names = people.map { #"{"name": "\#($0)"}"# }.joined(separator: ", ")
    return """
      {"title": "1.png", "description": "\(description)", "favorited": true,
       "photoTakenTime": {"timestamp": "1577934245"}, "people": [\(names)]\(more)}
      """
  }

  private func reasons(_ urls: [URL]) async throws -> [String] {
    let reasons = Lock<[String]>([])
    try await store.importFiles(at: urls) { event in
      guard event.outcome == .unreadValue, let error = event.error else { return }
      reasons.withLock { $0.append(error.reason) }
    }
    return reasons.withLock { $0 }
  }

  /// Expects that the only picture has all that the JSON tells.
  private func expectFacts(_ location: SourceLocation = #_sourceLocation) async throws {
    let rows = try store.list().rows(in: 0..<9)
    let row = try #require(rows.first, sourceLocation: location)
    #expect(rows.count == 1 && row.tags == ["Anna"] && row.isPinned, sourceLocation: location)
    #expect(row.createdAt.timeIntervalSince1970 == 1_577_934_245, sourceLocation: location)
    #expect(try await store.note(of: row.id) == "We swam", sourceLocation: location)
  }

  @Test func `a name that cannot be a tag is named beside an equal picture too, once`()
    async throws
  {
    for folder in ["A", "B"] { try tree.add("\(folder)/x.png", Samples.png) }
    // Otherwise it tells what the picture has by then.
    try tree.add("A/x.png.json", json(people: []))
    try tree.add("B/x.png.json", json(people: ["King, Martin"]))

    let first = try await reasons([tree.url])

    #expect(first.count == 1 && first[0].hasPrefix("“King, Martin” has a comma"), "\(first)")
    #expect(try await reasons([tree.url]).isEmpty)
  }

  @Test func `JSON in a part that is imported later reaches its picture`() async throws {
    let album = "Takeout/Google Photos/Summer"
    let pictures = SampleArchive([.init("\(album)/1.png", Samples.png)])
    let facts = SampleArchive([.init("\(album)/1.png.json", json())])
    let urls = [
      try tree.add("tk2.zip", pictures.bytes(.zip)), try tree.add("tk1.zip", facts.bytes(.zip)),
    ]
    for url in urls { try await store.importFiles(at: [url]) }

    #expect(try await store.importFiles(at: urls)[.updated] == 1)

    try await expectFacts()
    #expect(try await store.importFiles(at: urls)[.unchanged] == 1)
    #expect(try await store.importFiles(at: [urls[0]])[.unchanged] == 1)
    #expect(try await store.importFiles(at: urls)[.unchanged] == 1)
  }

  @Test func `a picture that another folder has brought takes what the JSON tells`() async throws {
    try tree.add("DCIM/1.png", Samples.png)
    try await importVault()
    let takeout = try FileTree("takeout")
    try takeout.add("1.png", Samples.png)
    try takeout.add("1.png.json", json())

    #expect(try await store.importFiles(at: [takeout.url])[.updated] == 1)

    try await expectFacts()
    // Those in another album.
    try takeout.add("album/1.png", Samples.png)
    try takeout.add("album/1.png.json", json(people: ["Ben"]))
    #expect(try await store.importFiles(at: [takeout.url])[.updated] == 1)
    #expect(try Set(store.list().rows(in: 0..<9)[0].tags) == ["Anna", "Ben"])
    #expect(try await store.importFiles(at: [takeout.url])[.unchanged] == 2)
  }

  @Test(arguments: [["A", "B"], ["B", "A"]], ["json", "xmp"])
  func `what files tell of equal pictures is joined alike in any order, and the rest is named`(
    order: [String],
    ending: String
  ) async throws {
    let days = ["A": 20, "B": 10]
    for folder in ["A", "B"] {
      let day = try #require(days[folder])
      try tree.add("\(folder)/x.png", Samples.png)
      let moment = "2020-01-\(day)T12:00:00"
      try tree.add(
        "\(folder)/x.png.\(ending)",
        ending == "json"
          ? """
          {"title": "Title \(folder).png", "description": "Note \(folder)",
           "photoTakenTime": {"timestamp": "\(1_577_836_800 + day * 86_400)"},
           "people": [{"name": "Person \(folder)"}]}
          """
          : """
          <x:xmpmeta xmlns:x="adobe:ns:meta/">
           <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
             xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:DateTimeOriginal="\(moment)+00:00">
             <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Title \(folder)</rdf:li></rdf:Alt>
             </dc:title>
             <dc:description><rdf:Alt><rdf:li xml:lang="x-default">Note \(folder)</rdf:li></rdf:Alt>
             </dc:description>
             <dc:subject><rdf:Bag><rdf:li>Person \(folder)</rdf:li></rdf:Bag></dc:subject>
            </rdf:Description>
           </rdf:RDF>
          </x:xmpmeta>
          """
      )
    }
    var dates: [Date] = []
    var reasons: [String] = []
    for folder in order {
      let url = tree.url.appendingPathComponent(folder)
      let events = try await store.importAll([url]).events
      dates.append(try #require(try store.list().row(at: 0)?.createdAt))
      reasons += events.compactMap(\.error?.reason)
    }

    let row = try #require(try store.list().row(at: 0))
    #expect(try store.list().count == 1)
    #expect(row.title == "Title A" && Set(row.tags) == ["Person A", "Person B"])
    #expect(try await store.note(of: row.id) == "Note A")
    // That of B, which is the earlier one.
    let own = order == ["B", "A"] ? dates[0] : dates[1]
    #expect(row.createdAt == own && dates.min() == own && row.modifiedAt == own)
    let named = reasons.joined(separator: "\n")
    #expect(named.contains("Title B") && named.contains("Note B"), "\(reasons)")
    #expect(named.contains("the date of creation “2020") || named.contains("another date of"))
    for folder in order {
      let url = tree.url.appendingPathComponent(folder)
      #expect(try await store.importAll([url]).report[.unchanged] == 1)
    }
  }

  @Test func `JSON that comes or changes later updates the picture, which keeps what a person did`()
    async throws
  {
    try tree.add("1.png", Samples.png)
    try await importVault()
    try tree.add("1.png.json", json())
    #expect(try await importVault()[.updated] == 1)
    try await expectFacts()
    let id = try #require(try store.list().row(at: 0)?.id)
    try await store.apply(SnippetEdit(isPinned: false, removedTags: ["Anna"]), to: id)
    try tree.add("1.png.json", json("We swam far", people: ["Anna", "Ben"]))

    #expect(try await importVault()[.updated] == 1)

    #expect(try await store.note(of: id) == "We swam far")
    #expect(try store.row(id)?.tags == ["Ben"] && store.row(id)?.isPinned == false)
    // A person who is not on it after all.
    try tree.add("1.png.json", json("We swam far", people: ["Anna"]))
    #expect(try await importVault()[.updated] == 1)
    #expect(try store.row(id)?.tags == [])
  }

  @Test func `a copy of the same export gives back nothing that a person took away`() async throws {
    try tree.add("1.png", Samples.png)
    try tree.add("1.png.json", json())
    try await importVault()
    let id = try #require(try store.list().row(at: 0)?.id)
    let edit = SnippetEdit(note: "", isPinned: false, removedTags: ["Anna"])
    try await store.apply(edit, to: id)
    let other = try FileTree("other")
    try other.add("1.png", Samples.png)
    try other.add("1.png.json", json())

    #expect(try await reasons([other.url]).isEmpty)

    #expect(try store.row(id)?.tags == [] && store.row(id)?.isPinned == false)
    #expect(try await store.note(of: id).isEmpty)
    #expect(try store.list().count == 1)
    // A changed picture without the JSON has the tags that it had.
    try await store.apply(SnippetEdit(addedTags: ["Anna"]), to: id)
    try tree.remove("1.png.json")
    try other.remove("1.png")
    try tree.add("1.png", Samples.png + Data([0]))
    try await importVault()
    #expect(try store.row(id)?.tags == ["Anna"])
  }

  @Test func `a value in whose place the snippet has another is named, once`() async throws {
    try tree.add("1.png", Samples.png)
    try await importVault()
    let id = try #require(try store.list().row(at: 0)?.id)
    try await store.apply(SnippetEdit(note: "Mine"), to: id)
    try tree.add("1.png.json", json(people: [], #", "trashed": true"#))

    let reasons = try await reasons([tree.url])

    #expect(reasons.count == 1, "\(reasons)")
    #expect(reasons.first?.contains("another note than “We swam”") == true, "\(reasons)")
    #expect(reasons.first?.contains("in the trash there") == true, "\(reasons)")
    #expect(try await store.note(of: id) == "Mine")
    #expect(try await self.reasons([tree.url]).isEmpty)
  }

  @Test func `a description that was cleared in the JSON goes, and the next one comes`()
    async throws
  {
    try tree.add("1.png", Samples.png)
    try tree.add("1.png.json", json("First"))
    try await importVault()
    let id = try #require(try store.list().row(at: 0)?.id)
    try tree.add("1.png.json", json(""))

    #expect(try await importVault()[.updated] == 1)

    #expect(try await store.note(of: id).isEmpty)
    try tree.add("1.png.json", json("Third"))
    #expect(try await reasons([tree.url]).isEmpty)
    #expect(try await store.note(of: id) == "Third")
  }

  @Test func `what a TextBundle says of its text reaches it later too`() async throws {
    func info(_ archived: Int, _ pinned: Int = 0) -> String {
      #"{"version": 2, "net.shinyfrog.bear": {"archived": \#(archived), "pinned": \#(pinned)}}"#
    }
    try tree.add("T.textbundle/text.md", "# Trip\n#sea")
    try tree.add("T.textbundle/info.json", info(0))
    try await importVault()

    try tree.add("T.textbundle/info.json", info(1, 1))
    #expect(try await importVault()[.updated] == 1)
    #expect(try Set(row("Trip")?.tags ?? []) == ["archived", "sea"])
    #expect(try row("Trip")?.isPinned == true)

    try tree.add("T.textbundle/info.json", info(0))
    #expect(try await importVault()[.updated] == 1)
    #expect(try row("Trip")?.tags == ["sea"] && row("Trip")?.isPinned == false)
    #expect(try await importVault()[.unchanged] == 1)
  }

  // MARK: - JSON that is gone

  /// The names of the files that are said to be described no more.
  private func undescribed(_ events: [ImportEvent]) -> [String] {
    let named = events.filter { event in
      event.outcome == .leftOut && event.error?.reason.contains("not there any more") == true
    }
    return named.map(\.file.lastPathComponent)
  }

  @Test func `JSON that is gone is named once, and an export writes what it told`() async throws {
    try tree.add("1.png", Samples.png)
    try tree.add("1.png.json", json())
    try await importVault()
    try tree.remove("1.png.json")

    let (report, events) = try await store.importAll([tree.url])

    #expect(report[.unchanged] == 1 && undescribed(events) == ["1.png"], "\(events)")
    try await expectFacts()
    let again = try await store.importAll([tree.url])
    #expect(again.report[.unchanged] == 1 && undescribed(again.events).isEmpty, "\(again.events)")
    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 1)
    let side = try tree.text("1.png.md")
    #expect(side.contains("Anna") && side.contains("pinned: true"), "\(side)")
    #expect(side.contains("created: 2020-01-02") && side.contains("We swam"), "\(side)")
    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 0)
    let last = try await store.importAll([tree.url])
    #expect(undescribed(last.events).isEmpty, "\(last.events)")
    #expect(last.report[.updated] == 0 && last.report[.imported] == 0, "\(last.events)")
    // Another store has it from there.
    let other = try TemporaryStore.open("other.sqlite")
    try await other.importFiles(at: [tree.url])
    let row = try #require(try other.list().row(at: 0))
    #expect(row.tags == ["Anna"] && row.isPinned)
    #expect(row.createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(try await other.note(of: row.id) == "We swam")
  }

  @Test func `JSON that comes back before an export needs nothing beside it`() async throws {
    try tree.add("1.png", Samples.png)
    try tree.add("1.png.json", json())
    try await importVault()
    try tree.remove("1.png.json")
    try await importVault()
    try tree.add("1.png.json", json())

    #expect(try await importVault()[.unchanged] == 1)

    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 0)
    #expect(try FileTree.files(in: tree.url) == ["1.png", "1.png.json"])
    try tree.remove("1.png.json")
    #expect(try await undescribed(store.importAll([tree.url]).events) == ["1.png"])
  }

  @Test func `JSON is not gone that is in another part, or beside a picture given alone`()
    async throws
  {
    try tree.add("1/Takeout/Google Photos/Summer/1.png", Samples.png)
    try tree.add("2/Takeout/Google Photos/Summer/1.png.json", json())
    let parts = ["1", "2"].map { tree.url.appendingPathComponent($0) }
    try await store.importFiles(at: parts)
    try await expectFacts()
    #expect(try await undescribed(store.importAll([parts[0]]).events).isEmpty)
    let alone = try FileTree("alone")
    let picture = try alone.add("2.png", Samples.png + Data([1]))
    try alone.add("2.png.json", json())
    try await store.importFiles(at: [alone.url])

    #expect(try await undescribed(store.importAll([picture]).events).isEmpty)
    #expect(try await undescribed(store.importAll([alone.url]).events).isEmpty)
  }

  // MARK: - Back into the folder

  @Test func `a picture that comes back from the trash keeps the file with its note`() async throws
  {
    try tree.add("1.png", Samples.png)
    try tree.add("1.png.json", json())
    try tree.add("2.md", "Another")
    try await importVault()
    let id = try #require(try store.list(SnippetFilter(kinds: [.image])).row(at: 0)?.id)
    try await store.apply(SnippetEdit(title: "Mine"), to: id)
    try await store.exportMarkdown(to: tree.url)
    #expect(try tree.text("1.png.md").contains("title: Mine"))
    try await store.moveToTrash([id])

    let (report, events) = try await store.importAll([tree.url])

    #expect(report[.failed] == 0 && report[.broughtBack] >= 1, "\(events)")
    #expect(try store.row(id)?.deletedAt == nil && store.row(id)?.title == "Mine")
    // A new store takes the file for the note too.
    let other = try TemporaryStore.open("other.sqlite")
    let second = try await other.importAll([tree.url])
    #expect(second.report[.failed] == 0, "\(second.events)")
    #expect(try other.list().count == 2)
  }

  @Test func `an export leaves files alone whose properties another file tells`() async throws {
    let text = "# Trip\n\nBy train #sea"
    try tree.add("T.textbundle/text.md", text)
    try tree.add(
      "T.textbundle/info.json",
      #"{"version": 2, "net.shinyfrog.bear": {"archived": 1, "pinned": 1}}"#
    )
    try tree.add("1.png", Samples.png)
    try tree.add("1.png.json", json())
    try await importVault()

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.unchanged] == 2 && report[.exported] == 0, "\(report)")
    #expect(try tree.text("T.textbundle/text.md") == text)
    let id = try #require(try row("Trip")?.id)
    try await store.apply(SnippetEdit(title: "Far", addedTags: ["mine"]), to: id)
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)
    let edited = "---\ntitle: Far\ntags:\n  - mine\n---\n\(text)"
    #expect(try tree.text("T.textbundle/text.md") == edited)
    #expect(try await importVault()[.unchanged] == 2)
    // Both sides may be edited from now on.
    try tree.add("T.textbundle/text.md", edited.replacing("sea", with: "lake"))
    #expect(try await importVault()[.updated] == 1)
    let row = try #require(try row("Far"))
    #expect(Set(row.tags) == ["archived", "lake", "mine"] && row.isPinned)
    // In another folder nothing is beside them.
    let other = try FileTree("other")
    try await store.exportMarkdown(to: other.url)
    let copy = try other.text("T.textbundle/text.md")
    #expect(copy.contains("archived") && copy.contains("pinned: true"))
  }
}
