import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Pictures beside files of XMP, as Lightroom, darktable and others write them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct XMPFolderTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("photos")
  }

  private func xmp(_ elements: String, _ attributes: String = "") -> String {
    """
    <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" \(attributes)>\(elements)</rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    """
  }

  private func xmp(
    title: String = "The sea",
    note: String = "We swam",
    tags: [String] = ["Anna"]
  ) -> String {
    xmp(
      """
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">\(title)</rdf:li></rdf:Alt></dc:title>
      <dc:description><rdf:Alt><rdf:li xml:lang="x-default">\(note)</rdf:li></rdf:Alt>
      </dc:description>
      """ + subject(tags),
      #"exif:DateTimeOriginal="2020-01-02T03:04:05Z" xmp:Rating="3""#
    )
  }

  private func subject(_ tags: [String]) -> String {
    let items = tags.map { "<rdf:li>\($0)</rdf:li>" }.joined()
    return "<dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>"
  }

  private func picture(_ number: UInt8) -> Data { Samples.png + Data([number]) }

  private func importAll() async throws -> (report: ImportReport, events: [ImportEvent]) {
    try await store.importAll([tree.url])
  }

  // MARK: - The first import

  @Test(arguments: ["IMG_1.PNG.xmp", "IMG_1.xmp", "img_1.png.XMP"])
  func `a picture takes what the XMP beside it tells, once`(name: String) async throws {
    try tree.add("IMG_1.PNG", Samples.png)
    try tree.add(name, xmp())

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && report[.failed] == 0, "\(events)")
    let row = try #require(try row("The sea"))
    #expect(try store.list().count == 1)
    #expect(row.kind == .image && row.tags == ["Anna"])
    #expect(row.createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(try await store.note(of: row.id) == "We swam")
    #expect(report[.leftOut] == 1)
    let reason = events.first { $0.outcome == .leftOut }?.error?.reason ?? ""
    #expect(reason.hasSuffix("xmp:Rating (1)"), "\(reason)")

    let second = try await importAll()
    #expect(second.report[.unchanged] == 1 && second.events.count == 1, "\(second.events)")
  }

  @Test func `a raw picture and the JPEG of it take the same`() async throws {
    try tree.add("IMG_1.CR2", picture(1))
    try tree.add("IMG_1.JPG", picture(2))
    try tree.add("IMG_1.xmp", xmp())

    let (report, events) = try await importAll()

    #expect(report[.imported] == 2, "\(events)")
    let rows = try store.list().rows(in: 0..<9)
    #expect(rows.map(\.title) == ["The sea", "The sea"])
    #expect(rows.map(\.tags) == [["Anna"], ["Anna"]])
    #expect(try await importAll().report[.unchanged] == 2)
  }

  @Test func `XMP counts more than JSON, and that with the whole name most, field by field`()
    async throws
  {
    try tree.add("1.png", Samples.png)
    try tree.add("1.png.xmp", xmp("<dc:title>Own</dc:title>" + subject(["Anna"])))
    try tree.add("1.xmp", xmp("<dc:title>Other</dc:title><dc:description>Far</dc:description>"))
    try tree.add(
      "1.png.json",
      """
      {"title": "Third.png", "description": "Near", "favorited": true,
       "photoTakenTime": {"timestamp": "1577934245"}, "people": [{"name": "Ben"}]}
      """
    )

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && events.count == 1, "\(events)")
    let row = try #require(try row("Own"))
    #expect(try await store.note(of: row.id) == "Far")
    #expect(Set(row.tags) == ["Anna", "Ben"] && row.isPinned)
    #expect(row.createdAt.timeIntervalSince1970 == 1_577_934_245)
  }

  @Test func `a date of the bytes is no correction of the one in a picture`() async throws {
    let picture = DatedPicture.jpeg(DatedPicture.exif("2020:01:02 03:04:05", zone: "+00:00"))
    try tree.add("1.jpg", Data(picture))
    try tree.add("1.xmp", xmp("<dc:title>One</dc:title>", #"xmp:CreateDate="2023-01-01T00:00Z""#))
    try tree.add("2.png", Samples.png)
    try tree.add("2.xmp", xmp("<dc:title>Two</dc:title>", #"xmp:CreateDate="2023-01-01T00:00Z""#))

    try await importVault()

    #expect(try row("One")?.createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(try row("Two")?.createdAt.timeIntervalSince1970 == 1_672_531_200)
  }

  // MARK: - What describes nothing

  @Test func `XMP beside no picture is named and becomes no snippet`() async throws {
    try tree.add("away.xmp", xmp())
    try tree.add("away.jpg.xmp", xmp())
    try tree.add("note.md", "A note")
    try tree.add("note.xmp", xmp())

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && report[.leftOut] == 3, "\(events)")
    #expect(try store.list().count == 1 && row("note")?.tags == [])
    let reasons = events.filter { $0.outcome == .leftOut }.compactMap(\.error?.reason)
    #expect(reasons == Array(repeating: "it describes no picture here", count: 3))
  }

  @Test func `flawed XMP is named with its reason, and the picture is imported`() async throws {
    let whole = Data(xmp().utf8)
    let flaws: [(Data, String)] = [
      (whole.prefix(whole.count - 40), "the end of its XMP is missing"),
      (whole + Data([0xFF]), "its bytes are not valid UTF-8"),
      (whole + Data(repeating: 0x20, count: 1 << 20), "it has more than 1 MiB"),
    ]
    for (number, flaw) in flaws.enumerated() {
      try tree.add("\(number).png", picture(UInt8(number)))
      try tree.add("\(number).xmp", flaw.0)
    }

    let (report, events) = try await importAll()

    #expect(report[.imported] == 3 && report[.failed] == 3, "\(events)")
    #expect(try store.list().count == 3)
    let reasons = events.filter { $0.outcome == .failed }.compactMap(\.error?.reason)
    for (reason, flaw) in zip(reasons, flaws) {
      #expect(reason.hasPrefix(flaw.1), "\(reason)")
    }
  }

  @Test func `JSON whose picture is missing is named, although XMP of the picture is there`()
    async throws
  {
    let json = #"{"title": "1.png", "photoTakenTime": {"timestamp": "1577934245"}}"#
    try tree.add("1.png.json", json)
    try tree.add("1.png.xmp", xmp("<dc:title>One</dc:title>"))

    let (report, events) = try await importAll()

    #expect(report[.leftOut] == 2 && events.count == 2, "\(events)")
    #expect(Set(events.map(\.file.lastPathComponent)) == ["1.png.json", "1.png.xmp"])
  }

  @Test func `a description in another language is named if it says something else`() async throws {
    let items = ["x-default": "Waves", "de": "Wellen"].map { language, words in
      "<rdf:li xml:lang=\"\(language)\">\(words)</rdf:li>"
    }
    let element = "<dc:description><rdf:Alt>\(items.joined())</rdf:Alt></dc:description>"
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", xmp(element))

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && report[.unreadValue] == 1, "\(events)")
    let reason = events.first { $0.outcome == .unreadValue }?.error?.reason
    #expect(reason?.contains("“dc:description”") == true, "\(reason ?? "")")
  }

  @Test func `a description that is cut is named`() async throws {
    let long = String(repeating: "x", count: 60_000)
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", xmp("<dc:description>\(long)</dc:description>"))

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && report[.unreadValue] == 1, "\(events)")
    let reason = events.first { $0.outcome == .unreadValue }?.error?.reason
    #expect(reason?.contains("the description was cut to 16 KiB") == true, "\(reason ?? "")")
    let id = try #require(try row("1")?.id)
    #expect(try await store.note(of: id).utf8.count == 16_384)
  }

  @Test func `a file with that name and without XMP is one like any other`() async throws {
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", "Only words")

    #expect(try await importVault()[.imported] == 2)
    #expect(try row("1") != nil)
  }

  @Test func `the keywords of the XMP with the whole name count alone, once it is there`()
    async throws
  {
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", xmp("<dc:title>Far</dc:title>" + subject(["Anna", "Ben"])))
    try await importVault()
    #expect(try Set(row("Far")?.tags ?? []) == ["Anna", "Ben"])
    try tree.add("1.png.xmp", xmp(subject(["Cleo"])))

    #expect(try await importVault()[.updated] == 1)

    #expect(try row("Far")?.tags == ["Cleo"])
  }

  @Test func `files that are given one by one describe each other as in their folder`()
    async throws
  {
    let urls = [
      try tree.add("1.png", picture(1)), try tree.add("1.xmp", xmp()),
      try tree.add("2.png", picture(2)),
      try tree.add(
        "2.png.json",
        #"{"title": "Second.png", "photoTakenTime": {"timestamp": "1577934245"}}"#
      ),
      try tree.add(
        "Keep.json",
        #"""
        {"title": "Milk", "textContent": "Two", "createdTimestampUsec": 1577934245678000,
         "sharees": [{"email": "a@example.org"}]}
        """#
      ),
      try tree.add("away.xmp", xmp()),
    ]

    let (report, events) = try await store.importAll(urls)

    #expect(report[.imported] == 3 && report[.failed] == 0, "\(events)")
    let leftOut = events.filter { $0.outcome == .leftOut }
    #expect(leftOut.map(\.file.path) == [urls[5].path, tree.url.path])
    #expect(leftOut.last?.error?.reason.hasSuffix("its files: sharees (1), xmp:Rating (1)") == true)
    let sea = try #require(try row("The sea"))
    #expect(sea.tags == ["Anna"] && sea.createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(try await store.note(of: sea.id) == "We swam")
    #expect(try row("Second")?.kind == .image)
    let milk = try #require(try row("Milk"))
    #expect(try await text(milk.id) == "Two")
    // Alone, a file of XMP is a text like any other.
    #expect(try await store.importAll([urls[5]]).report[.imported] == 1)
  }

  @Test func `a picture that was given by itself takes what XMP tells once both are given`()
    async throws
  {
    let urls = [try tree.add("1.png", Samples.png), try tree.add("1.xmp", xmp())]
    for url in urls { _ = try await store.importAll([url]) }
    let image = try #require(try store.list(SnippetFilter(kinds: [.image])).row(at: 0)?.id)
    let textID = try #require(try store.list(SnippetFilter(kinds: [.text])).row(at: 0)?.id)

    let (report, events) = try await store.importAll(urls)

    // The text is one of them, the rating the other.
    #expect(report[.updated] == 1 && report[.leftOut] == 2, "\(events)")
    #expect(try store.row(textID)?.deletedAt != nil)
    #expect(try store.row(image)?.title == "The sea" && store.row(image)?.tags == ["Anna"])
    #expect(try await store.note(of: image) == "We swam")
    try await store.apply(SnippetEdit(removedTags: ["Anna"]), to: image)
    #expect(try await store.importAll(urls).report[.updated] == 0)
    #expect(try await importVault()[.updated] == 0)
    #expect(try store.row(image)?.tags == [])
    try tree.add("1.xmp", xmp(tags: ["Anna", "Ben"]))
    #expect(try await importVault()[.updated] == 1)
    #expect(try store.row(image)?.tags == ["Ben"])
  }

  @Test func `a text that was made of XMP without a picture stays`() async throws {
    let url = try tree.add("away.xmp", xmp())
    try tree.add("1.png", Samples.png)
    #expect(try await store.importAll([url]).report[.imported] == 1)

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1, "\(events)")
    #expect(try store.list(SnippetFilter(kinds: [.text])).count == 1)
  }

  // MARK: - Later

  @Test(arguments: [false, true])
  func `a text that was made of damaged XMP gives up its file once that is mended`(
    isEdited: Bool
  ) async throws {
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", "<damaged")
    #expect(try await importVault()[.imported] == 2)
    let id = try #require(try store.list(SnippetFilter(kinds: [.text])).row(at: 0)?.id)
    // A title alone makes it no text of its own.
    let edit = isEdited ? SnippetEdit(text: "My words") : SnippetEdit(title: "Mine")
    try await store.apply(edit, to: id)
    try tree.add("1.xmp", xmp())

    let (report, events) = try await importAll()

    #expect(report[.updated] == 1 && report[.conflict] == 0, "\(events)")
    let reason = events.first { $0.snippetID == id }?.error?.reason
    let end = isEdited ? "stays without a file" : "goes to the trash"
    #expect(reason?.hasSuffix(end) == true, "\(events)")
    #expect(try (store.row(id)?.deletedAt == nil) == isEdited)
    #expect(try await store.origins(of: id).isEmpty)
    #expect(try await store.exportMarkdown(to: tree.url)[.conflict] == 0)
    #expect(try tree.text("1.xmp") == xmp())
    #expect(try await !importAll().events.contains { $0.snippetID == id && $0.outcome == .leftOut })
  }

  @Test func `a picture goes to the trash although the XMP beside it is still there`() async throws
  {
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", xmp())
    try await importVault()
    try tree.remove("1.png")

    let report = try await importVault(movesMissingToTrash: true)

    #expect(report[.trashed] == 1 && report[.failed] == 0, "\(report)")
  }

  @Test func `XMP that comes or changes later updates the picture, which keeps what a person did`()
    async throws
  {
    try tree.add("1.png", Samples.png)
    try await importVault()
    try tree.add("1.png.xmp", xmp())
    #expect(try await importVault()[.updated] == 1)
    let id = try #require(try row("The sea")?.id)
    #expect(try store.row(id)?.tags == ["Anna"])
    #expect(try await store.note(of: id) == "We swam")
    try await store.apply(SnippetEdit(note: "Mine", removedTags: ["Anna"]), to: id)
    try tree.add("1.png.xmp", xmp(title: "The lake", tags: ["Anna", "Ben"]))

    #expect(try await importVault()[.updated] == 1)

    #expect(try store.row(id)?.title == "The lake" && store.row(id)?.tags == ["Ben"])
    #expect(try await store.note(of: id) == "Mine")
    #expect(try await importVault()[.unchanged] == 1)
  }

  @Test func `a title stays while the XMP beside a renamed picture still has the former name`()
    async throws
  {
    try tree.add("a.png", picture(1))
    try tree.add("a.png.xmp", xmp())
    try tree.add("c.png", picture(2))
    _ = try await importAll()
    try tree.move("a.png", to: "b.png")
    try tree.move("c.png", to: "d.png")

    #expect(try await importAll().report[.moved] == 2)

    #expect(try row("The sea") != nil && row("d") != nil)
    try tree.move("a.png.xmp", to: "b.png.xmp")
    #expect(try await importAll().report[.unchanged] == 2)
    #expect(try row("The sea") != nil)
    try tree.add("b.png.xmp", xmp(title: "The lake"))
    #expect(try await importAll().report[.updated] == 1)
    #expect(try row("The lake") != nil)
  }

  @Test func `a title and a description that were cleared in the XMP go, and the next ones come`()
    async throws
  {
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", xmp())
    try await importVault()
    let id = try #require(try row("The sea")?.id)
    try tree.add("1.xmp", xmp(subject(["Anna"])))

    #expect(try await importVault()[.updated] == 1)

    #expect(try store.row(id)?.title == "1")
    #expect(try await store.note(of: id).isEmpty)
    try tree.add("1.xmp", xmp(title: "The lake", note: "We rowed"))
    let (report, events) = try await importAll()
    #expect(report[.updated] == 1 && report[.unreadValue] == 0, "\(events)")
    #expect(try store.row(id)?.title == "The lake")
    #expect(try await store.note(of: id) == "We rowed")
    // What a person gave does not go with it.
    try await store.apply(SnippetEdit(title: "Mine", note: "My words"), to: id)
    try tree.add("1.xmp", xmp(subject(["Ben"])))
    try await importVault()
    #expect(try store.row(id)?.title == "Mine")
    #expect(try await store.note(of: id) == "My words")
  }

  @Test func `a keyword goes with the last one in the XMP`() async throws {
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", xmp(subject(["Anna"])))
    try await importVault()
    #expect(try row("1")?.tags == ["Anna"])
    try tree.add("1.xmp", xmp(""))

    #expect(try await importVault()[.updated] == 1)

    #expect(try row("1")?.tags == [])
    #expect(try await importVault()[.unchanged] == 1)
  }

  @Test func `an equal picture in another folder brings what its own XMP tells`() async throws {
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", xmp())
    try await importVault()
    let other = try FileTree("other")
    try other.add("1.png", Samples.png)
    try other.add("1.xmp", xmp(tags: ["Anna", "Ben"]))

    #expect(try await store.importAll([other.url]).report[.updated] == 1)

    #expect(try Set(row("The sea")?.tags ?? []) == ["Anna", "Ben"])
    #expect(try store.list().count == 1)
  }

  @Test func `a tag of the XMP that was removed in the store is named by an export`() async throws {
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", xmp(tags: ["Anna", "Ben"]))
    try await importVault()
    let id = try #require(try row("The sea")?.id)
    try await store.apply(SnippetEdit(removedTags: ["Ben"]), to: id)
    let reasons = Lock<[String]>([])

    let report = try await store.exportMarkdown(to: tree.url) { event in
      if let error = event.error { reasons.withLock { $0.append("\(error)") } }
    }

    #expect(report[.incomplete] == 1, "\(reasons)")
    let reason = try #require(reasons.withLock { $0 }.first)
    #expect(reason.contains("the removal of the tag “Ben”"), "\(reason)")
    try await store.apply(SnippetEdit(addedTags: ["Ben"]), to: id)
    #expect(try await store.exportMarkdown(to: tree.url)[.incomplete] == 0)
  }

  @Test func `an export leaves out of the folder what the XMP tells`() async throws {
    try tree.add("1.png", Samples.png)
    try tree.add("1.xmp", xmp())
    try await importVault()

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.unchanged] == 1 && report[.exported] == 0, "\(report)")
    #expect(try FileTree.files(in: tree.url) == ["1.png", "1.xmp"])
    #expect(try tree.text("1.xmp") == xmp())
    // In another folder nothing is beside it.
    let other = try FileTree("other")
    try await store.exportMarkdown(to: other.url)
    let side = try #require(try FileTree.files(in: other.url).first { $0.hasSuffix(".md") })
    #expect(try other.text(side).contains("We swam"))
  }
}
