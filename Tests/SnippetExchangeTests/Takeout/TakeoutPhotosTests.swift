import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Pictures that Google Takeout has packed, with JSON beside them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct TakeoutPhotosTests {
  let store: SnippetStore
  let tree: FileTree
  private static let album = "Takeout/Google Photos/Summer"

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("parts")
  }

  private static func json(_ title: String, _ more: String = "") -> String {
    """
    {"title": "\(title)", "description": "", "imageViews": "12",
     "creationTime": {"timestamp": "1709290000", "formatted": "1 Mar 2024"},
     "photoTakenTime": {"timestamp": "1577934245", "formatted": "2 Jan 2020"},
     "geoData": {"latitude": 48.1, "longitude": 11.5, "altitude": 0.0},
     "geoDataExif": {"latitude": 0.0, "longitude": 0.0}\(more)}
    """
  }

  @discardableResult
  private func importAll(
    _ urls: [URL]? = nil,
    _ options: ImportOptions = .init()
  ) async throws -> (report: ImportReport, events: [ImportEvent]) {
    try await store.importAll(urls ?? [tree.url], options)
  }

  private func picture(_ number: UInt8) -> Data { Samples.png + Data([number]) }

  @Test func `albums become tags, and the folders of every Takeout do not`() async throws {
    try tree.add("Takeout/Google Photos/Photos from 2020/IMG_1.png", picture(1))
    try tree.add("\(Self.album)/IMG_1.png", picture(1))
    try tree.add("Takeout/Google Fotos/Fotos von 2021/IMG_2.png", picture(2))
    try tree.add("Takeout/Google Photos/Photos from Anna/IMG_3.png", picture(3))
    let inner = tree.url.appendingPathComponent("Takeout")
    try tree.add("Takeout/Google Photos/Lake 2021/IMG_4.png", picture(4))

    for url in [tree.url, inner] {
      try await importAll([url], ImportOptions(makesTagsOfFolders: true))
    }

    #expect(try store.row(titled: "IMG_1").tags == ["Summer"])
    #expect(try store.row(titled: "IMG_2").tags.isEmpty)
    #expect(try store.row(titled: "IMG_3").tags == ["Photos from Anna"])
    #expect(try store.row(titled: "IMG_4").tags == ["Lake 2021"])
    #expect(
      try await store.tags().map(\.name).sorted() == ["Lake 2021", "Photos from Anna", "Summer"]
    )
  }

  @Test func `a folder that is named like a Takeout becomes a tag`() async throws {
    try tree.add("Takeout/Thai/curry.png", picture(1))
    try tree.add("Takeout/menu.png", picture(2))
    try tree.add("Takeout/Keep/note.png", picture(3))

    try await importAll(nil, ImportOptions(makesTagsOfFolders: true))

    #expect(try Set(store.row(titled: "curry").tags) == ["Takeout", "Thai"])
    #expect(try store.row(titled: "menu").tags == ["Takeout"])
    #expect(try store.row(titled: "note").tags.isEmpty)
  }

  @Test func `a picture takes its date, name, people and star from the JSON`() async throws {
    try tree.add("\(Self.album)/IMG_1.png", picture(1))
    try tree.add(
      "\(Self.album)/IMG_1.png.supplemental-metadata.json",
      Self.json("At the lake.png", #", "favorited": true, "people": [{"name": "Anna"}]"#)
    )

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1 && report[.failed] == 0, "\(events)")
    let row = try store.row(titled: "At the lake")
    #expect(row.createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(row.isPinned && row.tags == ["Anna"])
  }

  @Test func `characters that Google writes as in HTML, and a slash in a title, are themselves`()
    async throws
  {
    try tree.add("1.png", picture(1))
    let words = Self.json("It&#39;s.png").replacing(
      #""description": """#,
      with: #""description": "a &quot;b&quot; &amp;amp; c""#
    )
    try tree.add("1.png.json", words)
    try tree.add("2.png", picture(2))
    try tree.add("2.png.json", Self.json("Anna/Berlin.png"))

    try await importAll()

    let row = try store.row(titled: "It's")
    #expect(try await store.note(of: row.id) == #"a "b" &amp; c"#)
    #expect(try store.row(titled: "Anna/Berlin").kind == .image)
  }

  @Test func `places and counts are named once, with their numbers`() async throws {
    for number in 1...3 {
      try tree.add("\(Self.album)/\(number).png", picture(UInt8(number)))
      try tree.add("\(Self.album)/\(number).png.json", Self.json("\(number).png"))
    }

    let (report, events) = try await importAll()

    #expect(report[.imported] == 3 && report[.leftOut] == 1, "\(events)")
    let reason = events.first { $0.outcome == .leftOut }?.error?.reason
    #expect(reason?.hasSuffix("geoData (3), imageViews (3)") == true, "\(reason ?? "")")
  }

  @Test func `a value of a type that Google does not write is named`() async throws {
    let odd = #", "favorited": [1], "people": [{"name": 7}, {"name": "Anna"}, "Ben"]"#
    try tree.add("\(Self.album)/1.png", picture(1))
    try tree.add("\(Self.album)/1.png.json", Self.json("1.png", odd))

    let (report, events) = try await importAll()

    #expect(report[.imported] == 1, "\(events)")
    #expect(try store.row(titled: "1").tags == ["Anna"])
    let reason = events.first { $0.outcome == .leftOut }?.error?.reason ?? ""
    #expect(reason.contains("favorited (1), geoData (1)"), "\(reason)")
    #expect(reason.hasSuffix("people (1), people.name (1)"), "\(reason)")
  }

  @Test func `a description is the note of the picture`() async throws {
    try tree.add("\(Self.album)/1.png", picture(1))
    try tree.add(
      "\(Self.album)/1.png.json",
      Self.json("1.png")
        .replacing(#""description": """#, with: #""description": "We swam""#)
    )

    let events = try await importAll().events

    #expect(!events.contains { $0.outcome == .unreadValue })
    let row = try #require(try store.list().row(at: 0))
    #expect(try await store.note(of: row.id) == "We swam")
  }

  @Test func `a description that is too long for a note is named`() throws {
    for isTooLong in [false, true] {
      let words = String(repeating: "x", count: isTooLong ? 65_537 : 65_536)
      let json = Self.json("1.png")
        .replacing(#""description": """#, with: #""description": "\#(words)\n""#)

      let read = JSONFields(Data(json.utf8)).flatMap(PhotoSidecar.init)
      let description = try #require(read).description

      let reasons = isTooLong ? ["the description was cut to 64 KiB"] : []
      #expect(description.unread.map(\.reason) == reasons)
    }
  }

  @Test func `what is in Google's trash goes to the trash, once`() async throws {
    try tree.add("\(Self.album)/1.png", picture(1))
    try tree.add("\(Self.album)/1.png.json", Self.json("1.png", #", "trashed": true"#))

    let report = try await importAll().report

    #expect(report[.imported] == 1)
    #expect(try store.list().rows(in: 0..<9).isEmpty)
    #expect(try store.list(.trash).rows(in: 0..<9).count == 1)
    let again = try await importAll().report
    #expect(again[.unchanged] == 1 && again[.broughtBack] == 0, "\(again)")
    #expect(try store.list(.trash).rows(in: 0..<9).count == 1)
  }

  @Test func `what is in Google's trash stays there as one, from archives of any name`()
    async throws
  {
    let trashed = SampleArchive([
      .init("\(Self.album)/1.png", picture(1)),
      .init("\(Self.album)/1.png.json", Self.json("1.png", #", "trashed": true"#)),
    ])

    for number in 0..<3 {
      let archive = try tree.add("takeout-\(number).zip", trashed.bytes(.zip))
      let (report, events) = try await importAll([archive])
      #expect(report[number == 0 ? .imported : .unchanged] == 1, "\(events)")
      #expect(report[.unreadValue] == 0, "\(events)")
      #expect(try await importAll([archive]).report[.unchanged] == 1)
    }

    #expect(try store.list(.trash).count == 1 && store.list().count == 0)
  }

  @Test func `a picture in the trash of both stays there, and nothing is named`() async throws {
    try tree.add("1.png", picture(1))
    let id = try #require(try await importAll([tree.url]).events.first?.snippetID)
    try await store.moveToTrash([id])
    let takeout = try FileTree("takeout")
    try takeout.add("\(Self.album)/1.png", picture(1))
    try takeout.add("\(Self.album)/1.png.json", Self.json("1.png", #", "trashed": true"#))

    let (report, events) = try await importAll([takeout.url])

    #expect(report[.imported] == 0 && report[.unreadValue] == 0, "\(events)")
    #expect(try store.list(.trash).rows(in: 0..<9).map(\.id) == [id] && store.list().count == 0)
  }

  @Test func `a picture in the trash comes back from an archive of any name, with its tags`()
    async throws
  {
    try tree.add("1.png", picture(1))
    let id = try #require(try await importAll([tree.url]).events.first?.snippetID)
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: id)
    try await store.moveToTrash([id])
    let archive = SampleArchive([
      .init("\(Self.album)/1.png", picture(1)), .init("\(Self.album)/2.png", picture(1)),
    ])
    let url = try FileTree("other").add("takeout.zip", archive.bytes(.zip))

    let (report, events) = try await importAll([url])

    #expect(report[.broughtBack] == 1 && report[.duplicate] == 1, "\(events)")
    #expect(try store.list().rows(in: 0..<9).map(\.id) == [id] && store.list(.trash).count == 0)
    #expect(try store.row(id)?.tags == ["mine"])
    // A file that is given by itself does the same.
    try await store.moveToTrash([id])
    let file = try FileTree("alone").add("3.png", picture(1))
    #expect(try await importAll([file]).report[.broughtBack] == 1)
    #expect(try store.list().count == 1 && store.list(.trash).count == 0)
  }

  @Test func `an edited copy has the date of the original, and its own name`() async throws {
    try tree.add("\(Self.album)/1.png", picture(1))
    try tree.add("\(Self.album)/1-edited.png", picture(2))
    try tree.add("\(Self.album)/1.png.json", Self.json("1.png"))

    let report = try await importAll().report

    #expect(report[.imported] == 2 && report[.leftOut] == 1, "\(report)")
    #expect(try store.row(titled: "1-edited").createdAt.timeIntervalSince1970 == 1_577_934_245)
  }

  @Test func `JSON without its picture and albums are named`() async throws {
    try tree.add("\(Self.album)/1.png", picture(1))
    try tree.add("\(Self.album)/1.png.json", Self.json("1.png"))
    try tree.add("\(Self.album)/2.png.json", Self.json("2.png"))
    try tree.add(
      "\(Self.album)/metadata.json",
      #"{"title": "Summer at sea", "access": "protected", "date": {"timestamp": "1577934245"}}"#
    )

    let (report, events) = try await importAll(nil, .init(makesTagsOfFolders: true))

    #expect(report[.imported] == 1 && report[.leftOut] == 3, "\(events)")
    let names = events.filter { $0.outcome == .leftOut }.map(\.file.lastPathComponent)
    #expect(names.contains("2.png.json") && names.contains("metadata.json"))
    #expect(try store.row(titled: "1").tags.contains("Summer"))
    #expect(events.contains { $0.error?.reason.contains("Summer at sea") == true })
  }

  @Test func `JSON whose name is the beginning of two pictures is named`() async throws {
    let name = "A very long name of a picture of the last summ"
    try tree.add("\(Self.album)/\(name)a.png", picture(1))
    try tree.add("\(Self.album)/\(name)b.png", picture(2))
    try tree.add("\(Self.album)/\(name).json", Self.json("Another.png"))

    let (report, events) = try await importAll()

    #expect(report[.imported] == 2 && report[.leftOut] == 1, "\(events)")
    let event = events.first { $0.outcome == .leftOut }
    #expect(event?.file.lastPathComponent == "\(name).json", "\(events)")
    #expect(event?.error?.reason.hasPrefix("its name is cut off") == true, "\(events)")
  }

  @Test func `JSON that stays when its picture is renamed is that of a new one, and is named`()
    async throws
  {
    try tree.add("a.png", picture(1))
    try tree.add("a.png.json", Self.json("Lake.png"))
    try await importAll()
    try tree.move("a.png", to: "b.png")
    try tree.add("a.png", picture(2))

    let (report, events) = try await importAll()

    #expect(report[.moved] == 1 && report[.imported] == 1, "\(events)")
    let notices = events.filter { $0.error?.reason.contains("described b.png before") == true }
    #expect(notices.map(\.file.lastPathComponent) == ["a.png"], "\(events)")
    #expect(try store.list().rows(in: 0..<9).map(\.title) == ["Lake", "Lake"])
    let again = try await importAll()
    #expect(again.report[.unchanged] == 2, "\(again.events)")
    #expect(!again.events.contains { $0.error?.reason.contains("b.png before") == true })
  }

  @Test func `the JSON may be in another part of the export`() async throws {
    let first = SampleArchive([
      .init("\(Self.album)/1.png", picture(1)),
      .init("\(Self.album)/2.png.json", Self.json("2.png")),
    ])
    let second = SampleArchive([
      .init("\(Self.album)/1.png.json", Self.json("1.png")),
      .init("\(Self.album)/2.png", picture(2)),
    ])
    let urls = [
      try tree.add("takeout-001.zip", first.bytes(.zip)),
      try tree.add("takeout-002.tgz", second.bytes(.gzip)),
    ]

    let (report, events) = try await importAll(urls)

    #expect(report[.imported] == 2 && report[.failed] == 0, "\(events)")
    for title in ["1", "2"] {
      #expect(try store.row(titled: title).createdAt.timeIntervalSince1970 == 1_577_934_245)
    }
    let again = try await importAll(urls).report
    #expect(again[.unchanged] == 2 && again[.imported] == 0, "\(again)")
  }

  @Test(arguments: [(1 << 20, false), (0, true)])
  func `the JSON of a part is read once, if there is room for it`(
    maximumByteCount: Int,
    isReadAgain: Bool
  ) throws {
    var readings = TakeoutFolder.Readings(maximumByteCount: maximumByteCount)
    let (first, second) = (tree.path("1"), tree.path("2"))
    try tree.add("1/a.png", picture(1))
    try tree.add("2/b.png", picture(2))
    try tree.add("2/b.png.json", Self.json("b.png"))
    // There is nothing of its own.
    #expect(TakeoutFolder(in: first, ["a.png"], sisters: [second], &readings) != nil)

    try tree.add("2/b.png.json", Self.json("b.png", #", "favorited": true"#))
    let names = ["b.png", "b.png.json"]
    let folder = TakeoutFolder(in: second, names, sisters: [first], &readings)
    #expect(folder?.descriptions["b.png"]?.isPinned == isReadAgain)
    // All sisters have asked.
    let last = TakeoutFolder(in: second, names, sisters: [first], &readings)
    #expect(last?.descriptions["b.png"]?.isPinned == true)
  }

  @Test(
    arguments: [
      ("Takeout/Google Photos", "Takeout 2/Google Photos"),
      ("takeout-2024-001/Takeout/Google Photos", "takeout-2024-002/Takeout/Google Photos"),
      ("1/Takeout/Google Photos", "Takeout/Google Photos"),
      ("1/Takeout/Google Fotos", "2/Takeout/Google Foto"),
    ],
    [true, false]
  )
  func `the JSON may be in a part with other folders around it`(
    folders: (String, String),
    isPacked: Bool
  ) async throws {
    let (picture, json) = ("\(folders.0)/Summer/1.png", "\(folders.1)/Summer/1.png.json")
    var urls = [tree.url]
    if isPacked {
      let first = SampleArchive([.init(picture, self.picture(1))])
      let second = SampleArchive([.init(json, Self.json("1.png"))])
      urls = [
        try tree.add("1.zip", first.bytes(.zip)), try tree.add("2.zip", second.bytes(.zip)),
      ]
    } else {
      try tree.add(picture, self.picture(1))
      try tree.add(json, Self.json("1.png"))
    }

    let (report, events) = try await importAll(urls, ImportOptions(makesTagsOfFolders: true))

    #expect(report[.imported] == 1, "\(events)")
    #expect(!events.contains { $0.error?.reason.contains("not in its folder") == true })
    let row = try store.row(titled: "1")
    #expect(row.createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(row.tags == ["Summer"] || folders.0.hasPrefix("1/"), "\(row.tags)")
  }

  @Test func `a picture takes its own JSON before that of another export`() async throws {
    for (number, name) in ["1.png.json", "1.png.supplemental-metadata.json"].enumerated() {
      let album = "takeout-\(number)/\(Self.album)"
      try tree.add("\(album)/1.png", picture(UInt8(number)))
      try tree.add("\(album)/\(name)", Self.json("Lake \(number).png"))
    }

    try await importAll()

    #expect(try store.list().rows(in: 0..<9).map(\.title).sorted() == ["Lake 0", "Lake 1"])
  }

  @Test(arguments: [nil, "", "/Takeout", ".zip"] as [String?])
  func `exports of two moments do not describe each other's pictures`(
    endOfPaths: String?
  ) async throws {
    let names = ["takeout-20190102T101112Z-001", "takeout-20240102T101112Z-001"]
    let members = [
      SampleArchive.Member("\(Self.album)/1.png.json", Self.json("Lake.png")),
      SampleArchive.Member("\(Self.album)/1.png", picture(1)),
    ]
    if endOfPaths == ".zip" {
      for (name, member) in zip(names, members) {
        try tree.add("\(name).zip", SampleArchive([member]).bytes(.zip))
      }
    } else {
      try tree.add("\(names[0])/\(Self.album)/1.png.json", Self.json("Lake.png"))
      try tree.add("\(names[1])/\(Self.album)/1.png", picture(1))
    }
    let urls = endOfPaths.map { end in names.map { tree.url.appending(path: $0 + end) } }

    let (report, events) = try await importAll(urls)

    #expect(report[.imported] == 1, "\(events)")
    #expect(try store.list().rows(in: 0..<9).map(\.title) == ["1"])
    #expect(events.contains { $0.error?.reason.contains("not in its folder") == true })
  }

  @Test func `notes in two exports in one folder are those of each, and are one`() async throws {
    for year in ["2023", "2024"] {
      try tree.add(
        "takeout-\(year)/Takeout/Keep/Milk.json",
        #"{"title": "Milk", "textContent": "Two", "createdTimestampUsec": 1577934245000000}"#
      )
    }

    let report = try await importAll().report

    #expect(report[.imported] == 1 && report[.failed] == 0, "\(report)")
    #expect(try store.list().count == 1)
  }

  @Test func `damaged JSON stays a text, and is named with what it describes`() async throws {
    let folder = "Takeout/Google Photos/Sea"
    let whole = Self.json("IMG_1.png")
    for (number, count) in [0, 30, whole.count / 2, whole.count - 2].enumerated() {
      try tree.add("\(folder)/IMG_\(number).png", picture(UInt8(number)))
      let name = "\(folder)/IMG_\(number).png.supplemental-meta.json"
      try tree.add(name, String(whole.prefix(count)))
    }
    try tree.add("Takeout/Keep/Note.json", #"{"title": "Milk", "createdTimestampUsec": 15"#)
    try tree.add("Takeout/Keep/other.json", #"{"title": "Milk", "date": "#)

    let (_, events) = try await importAll()

    let reasons = events.filter { $0.outcome == .leftOut }.compactMap(\.error?.reason).sorted()
    let ofPictures = (0..<4).map { number in
      "its JSON is damaged, so it stays a text, and IMG_\(number).png beside it has nothing of it"
    }
    let ofNote = "its JSON is damaged, so the note of Google Keep in it stays a text as it is"
    #expect(reasons == ofPictures + [ofNote], "\(events)")
    let rows = try store.list().rows(in: 0..<20)
    #expect(rows.filter { $0.kind == .image }.count == 4)
  }

  @Test func `other JSON is a text as ever`() async throws {
    try tree.add("notes/a.json", #"{"title": "A", "date": "today"}"#)
    try tree.add("notes/b.json", #"{"photoTakenTime": 1}"#)
    try tree.add("notes/c.json", "[1, 2]")

    let report = try await importAll().report

    #expect(report[.imported] == 3, "\(report)")
  }

  @Test func `a date that is no number is named`() throws {
    let json = Self.json("1.png").replacing("\"1577934245\"", with: "\"soon\"")

    let read = JSONFields(Data(json.utf8)).flatMap(PhotoSidecar.init)
    let description = try #require(read).description

    #expect(description.takenAt == nil && description.addedAt != nil)
    #expect(description.unreadNames.contains("photoTakenTime.timestamp"))
  }

  @Test(arguments: ["0", "-62135596800"])
  func `the beginning of a count is no date`(seconds: String) throws {
    let json = Self.json("1.png").replacing("1577934245", with: seconds)

    let read = JSONFields(Data(json.utf8)).flatMap(PhotoSidecar.init)
    let description = try #require(read).description

    #expect(description.takenAt == nil && description.addedAt != nil)
    #expect(description.unread.isEmpty)
  }

  @Test func `a date that makes no sense is named`() async throws {
    try tree.add("\(Self.album)/1.png", picture(1))
    try tree.add(
      "\(Self.album)/1.png.json",
      Self.json("1.png").replacing("1577934245", with: "99999999999999")
    )

    let events = try await importAll().events

    let event = try #require(events.first { $0.outcome == .unreadValue })
    #expect(event.error?.reason.contains("photoTakenTime") == true)
  }
}
