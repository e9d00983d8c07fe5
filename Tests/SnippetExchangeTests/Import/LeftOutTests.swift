import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SystemPackage
import Testing

@testable import SnippetExchange

/// Everything in a folder becomes a snippet, or is named with a reason.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LeftOutTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("tree")
  }

  // MARK: - All there is

  @Test func `every name in a folder is in the outcomes`() async throws {
    try makeVault("vault")
    try makeJoplin("joplin")
    try await makeExport("export")

    let (events, _) = try await importAll()

    let named = Set(events.map { Array($0.file.path.utf8) })
    for path in try everything(in: tree.url.path) where !named.contains(Array(path.utf8)) {
      #expect(expectedSilence(path), "\(path) is neither in nor named")
    }
    for event in events where event.snippetID == nil {
      #expect(event.error?.reason.isEmpty == false, "\(event)")
    }
  }

  @Test func `a folder that should become a tag and cannot is named`() async throws {
    try tree.add("Rome, Paris/trips/note.md", "note")

    let events = Lock<[ImportEvent]>([])
    try await store.importFiles(at: [tree.url], options: .init(makesTagsOfFolders: true)) { event in
      events.withLock { $0.append(event) }
    }

    #expect(try store.list().rows(in: 0..<9).map(\.tags) == [["trips"]])
    let reasons = events.withLock { $0.filter { $0.outcome == .unreadValue } }
      .compactMap(\.error?.reason)
    #expect(reasons.count == 1 && reasons[0].contains("the folder “Rome, Paris”"), "\(reasons)")
  }

  /// Whether a file says something about others, which have it.
  private func expectedSilence(_ path: String) -> Bool {
    let name = (path as NSString).lastPathComponent
    // A resource is reported by its file, a notebook and a tag by the notes that have them.
    if path.contains("/joplin/"), ["2.md", "3.md", "5.md", "6.md"].contains(where: name.hasSuffix) {
      return true
    }
    return name == ExportManifest.fileName
  }

  private func makeVault(_ name: String) throws {
    try tree.add("\(name)/note.md", "note")
    try tree.add("\(name)/deep/er/p.png", Samples.png)
    try tree.add("\(name)/deep/same.png", Samples.png)
    try tree.add("\(name)/film.bin", Data([0, 1, 2, 3]))
    try tree.add("\(name)/empty", "")
    try tree.add("\(name)/.hidden.md", "hidden")
    try tree.add("\(name)/.folder/inner.md", "inner")
    try tree.add("\(name)/.snip-0123.partial", "half")
    try tree.addLink("\(name)/link.md", to: "note.md")
    try tree.addLink("\(name)/circle", to: "..")
    try tree.addLink("\(name)/broken", to: "nowhere")
    try tree.addPipe("\(name)/pipe")
  }

  private func makeJoplin(_ name: String) throws {
    let joplin = try JoplinTree("tree/\(name)")
    let id = JoplinTree.id
    try joplin.item(1, 1, "Note\n\ntext", ["parent_id: \(id(2))"])
    try joplin.item(2, 2, "Notebook")
    try joplin.item(3, 4, "memo", ["mime: audio/wav", "file_extension: "])
    try joplin.tree.add("resources/\(id(3)).wav", Samples.wav())
    try joplin.item(4, 4, "lost", ["file_extension: png"])
    try joplin.item(5, 5, "tag")
    try joplin.item(6, 6, "", ["note_id: \(id(1))", "tag_id: \(id(5))"])
    try joplin.item(7, 5, "unused")
    try joplin.item(8, 6, "", ["note_id: \(id(1))", "tag_id: \(id(15))"])
    try joplin.item(9, 13, "")
    try joplin.item(10, 5, "no, tag")
    try joplin.item(11, 6, "", ["note_id: \(id(1))", "tag_id: \(id(10))"])
    try joplin.item(12, 1, "Secret", ["encryption_applied: 1"])
    try joplin.tree.add("resources/stray.png", Samples.png + Data([1]))
    try joplin.tree.add("beside.md", "beside")
  }

  private func makeExport(_ name: String) async throws {
    let other = try TemporaryStore.open("other.sqlite")
    try await other.save(SnippetDraft(.text("exported"), title: "x"))
    try await other.export(to: tree.url.appendingPathComponent(name))
    try tree.add("\(name)/texts/added.txt", "added")
    try tree.add("\(name)/.hidden/inner.txt", "inner")
    try tree.addLink("\(name)/texts/link", to: "added.txt")
    try tree.addPipe("\(name)/pipe")
  }

  /// Every file, link and pipe below a folder; nothing below one that is hidden, which itself
  /// counts.
  private func everything(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { name in
      let path = "\(folder)/\(name)"
      let type = try Stat(path, followTargetSymlink: false).type
      return try type == .directory && !name.hasPrefix(".") ? everything(in: path) : [path]
    }
  }

  // MARK: - Joplin

  @Test(arguments: ["wav", "ogg", "", "tar.wav"])
  func `a resource is found by its id whatever its extension`(suffix: String) async throws {
    let joplin = try JoplinTree("tree/joplin")
    try joplin.item(1, 4, "memo", ["mime: audio/wav", "file_extension: "])
    let name = JoplinTree.id(1) + (suffix.isEmpty ? "" : ".\(suffix)")
    try joplin.tree.add("resources/\(name)", Samples.wav())

    let (_, report) = try await importAll()

    #expect(report[.imported] == 1 && report[.failed] == 0, "\(report)")
    #expect(try store.list().row(at: 0)?.title == "memo")
  }

  @Test func `a resource without its file is a failure with a name`() async throws {
    let joplin = try JoplinTree("tree/joplin")
    try joplin.item(1, 4, "memo", ["file_extension: ../../wav"])

    let (events, report) = try await importAll()

    #expect(report[.failed] == 1)
    #expect(events.map(\.file.lastPathComponent) == ["\(JoplinTree.id(1)).md"])
    #expect(events[0].error?.reason == "its file is not in the folder resources beside it")
  }

  @Test(arguments: [3400, 200_000])
  func `the recognized text of a scan may have any length`(count: Int) async throws {
    let joplin = try JoplinTree("tree/joplin")
    let words = Array(repeating: "word: with", count: count).joined(separator: " ")
    try joplin.item(1, 4, "memo", ["file_extension: wav", "ocr_text: \(words)"])
    try joplin.tree.add("resources/\(JoplinTree.id(1)).wav", Samples.wav())
    try joplin.item(2, 1, "Note\n\n" + words, ["source: \(words)"])

    let (_, report) = try await importAll()

    #expect(report[.imported] == 2, "\(report)")
    #expect(try store.list().rows(in: 0..<9).map(\.title).sorted() == ["Note", "memo"])
  }

  @Test func `an archive in a folder is named with the way to unpack it`() async throws {
    try tree.add("notes.jex", SampleArchive([.init("note.md", "note")]).bytes(.tar))

    let (events, _) = try await importAll()

    #expect(events[0].outcome == .unsupported)
    #expect(events[0].error?.reason.contains("it is an archive in a folder") == true)
    #expect(events[0].error?.recoverySuggestion == "Give the path of the archive itself.")
  }

  @Test func `something compressed in a folder that holds no files is no archive`() async throws {
    try tree.add("drawing.svgz", SampleArchive.gzip(Data("<svg/>".utf8)))

    let (events, _) = try await importAll()

    #expect(events.map(\.outcome) == [.unsupported])
    #expect(events[0].error?.reason.contains("archive") == false, "\(events)")
  }

  // MARK: - Logseq

  @Test func `former pages of Logseq are left out and counted, unless their folder is given`()
    async throws
  {
    try tree.add("logseq/config.edn", "{}")
    try tree.add("pages/Tea.md", "tea")
    try tree.add("logseq/bak/pages/Tea/2024-03-01T10_00_00.md", "green tea")
    try tree.add("logseq/bak/pages/Tea/2024-03-02T10_00_00.md", "black tea")
    try tree.add("bak/note.md", "no graph")

    let (events, report) = try await importAll()
    let (given, _) = try await store.importAll([tree.url.appendingPathComponent("logseq/bak")])

    let left = events.filter { $0.outcome == .leftOut }
    #expect(left.map(\.file.lastPathComponent) == ["bak"], "\(events)")
    #expect(left.first?.error?.reason == "Logseq keeps 2 former versions of pages in it")
    #expect(report[.imported] == 3, "\(report)")
    #expect(given[.imported] == 2, "\(given)")
  }

  // MARK: - Values

  @Test(
    arguments: [
      ("date: soon", "line 2: “soon” is no date that can be read in one way (date)"),
      ("created: [a, b]", "line 2: it is no date that can be read in one way (created)"),
      ("title: [a]", "“title” is not a text"),
      ("tags: {a: b}", "not all of “tags” are words"),
      ("tags: [a, [b]]", "not all of “tags” are words"),
      ("tags: #a #b", "line 2: “#a #b” is a comment without quotes around it (tags)"),
      (
        "title: !important",
        "line 2: “!important” is a type without quotes around it (title)"
      ),
      ("pinned: perhaps", "“perhaps” is neither true nor false (pinned)"),
    ]
  )
  func `a value that says nothing is named, and stays`(line: String, reason: String) async throws {
    let note = "---\n\(line)\n---\ntext\n"
    try tree.add("note.md", note)

    let (events, report) = try await importAll()

    #expect(report[.imported] == 1 && report[.unreadValue] == 1)
    #expect(events.compactMap { $0.error?.reason } == [reason])
    #expect(try await store.text(of: try #require(store.list().row(at: 0)).id) == note)
  }

  @Test(
    arguments: [
      "---\ntitle: T\ndate: 2024-01-05\ntags: [a]\npinned: false\n---\nx",
      "---\ntitle:\ndate: ~\ntags:\n---\nx", "---\nrule\n---\nx", "no front matter", "+++",
      "+++\ntitle = \"T\"\ndate = 2024-01-05\ntags = [\"a\"]\n+++\nx", "tags:: a\n\nx",
      "---\na rule, and no end\n",
    ]
  )
  func `a note of which everything is read has nothing to name`(note: String) async throws {
    try tree.add("note.md", note)

    let (events, _) = try await importAll()

    #expect(events.map(\.outcome) == [.imported])
  }

  @Test func `front matter that cannot be read is named, and stays alone`() async throws {
    let note = "+++\ntitle = T\n+++\ntext\n"
    try tree.add("note.md", note)
    let (_, report) = try await importAll()
    #expect(report[.unreadFrontMatter] == 1)
    let id = try #require(try store.list().row(at: 0)).id
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: id)

    let export = try await store.exportMarkdown(to: tree.url)

    #expect(export[.incomplete] == 1 && export[.unchanged] == 1, "\(export)")
    #expect(try tree.text("note.md") == note)
  }

  @Test func `tags behind what is read of a long note are named`() async throws {
    let filler = String(repeating: "A line of plain text.\n", count: 1 << 16)
    try tree.add("long.md", "#early\n\(filler)#late\n")

    let (events, report) = try await importAll()

    #expect(report[.imported] == 1 && report[.unreadValue] == 1)
    #expect(try store.list().row(at: 0)?.tags == ["early"])
    let reason = try #require(events.first { $0.outcome == .unreadValue }?.error?.reason)
    #expect(reason == "tags in the text behind its first 1 MiB were not looked for")
  }

  @Test func `more tags than a note can have are named`() async throws {
    let tags = (0..<120).map { "#t\($0)" }.joined(separator: " ")
    try tree.add("a.md", tags)
    try tree.add(
      "b.md",
      "---\ntags: [\(tags.replacing("#", with: "").replacing(" ", with: ", "))]\n---\n"
    )
    try tree.add("c.md", "---\ntags: [\"a,b\", \(String(repeating: "x", count: 101))]\n---\n")

    let (events, report) = try await importAll()

    #expect(report[.unreadValue] == 3, "\(events.map { $0.error?.reason })")
  }

  @Test func `a keyword of a picture that cannot be a tag is named`() async throws {
    let long = String(repeating: "x", count: 101)
    let items = ["Coast", long].map { "<rdf:li>\($0)</rdf:li>" }.joined()
    let packet = "<dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>"
    try tree.add("photo.jpg", Data(try #require(DatedPicture.withXMP(packet).first)))

    let (events, report) = try await importAll()

    #expect(report[.imported] == 1 && report[.unreadValue] == 1)
    #expect(try store.list().row(at: 0)?.tags == ["Coast"])
    let reason = try #require(events.first { $0.outcome == .unreadValue }?.error?.reason)
    #expect(reason == "the keyword “\(long.dropLast())” is no tag of 1 to 100 characters")
  }

  @Test func `a note in a picture that is cut is named`() async throws {
    let long = String(repeating: "x", count: 20_000)
    let packet = "<dc:description>\(long)</dc:description>"
    try tree.add("photo.jpg", Data(try #require(DatedPicture.withXMP(packet).first)))

    let (events, report) = try await importAll()

    #expect(report[.imported] == 1 && report[.unreadValue] == 1)
    let reason = try #require(events.first { $0.outcome == .unreadValue }?.error?.reason)
    #expect(reason == "the note in it was cut to 16 KiB")
  }

  @Test func `a compressed text in a picture is named`() async throws {
    let text = TitledFile.pngChunk("zTXt", ascii("Description\0\0x"))
    try tree.add("picture.png", Data(TitledFile.png(text)))

    let (events, report) = try await importAll()

    #expect(report[.imported] == 1 && report[.unreadValue] == 1)
    let reason = try #require(events.first { $0.outcome == .unreadValue }?.error?.reason)
    #expect(reason == "the text “Description” in it is compressed and was not read")
  }

  @Test(arguments: [
    ("a.md", "tags:: one, [[two, words]], \(String(repeating: "x", count: 150))\n", 2),
    ("b.md", "#[[two, words]] #one #\(String(repeating: "z", count: 5_000))", 2),
    ("c.org", "#+filetags: :a,b:one:\n", 1),
  ])
  func `names that cannot be tags are named wherever they stand`(
    name: String,
    text: String,
    count: Int
  ) async throws {
    try tree.add(name, text)

    let (events, report) = try await importAll()

    #expect(report[.unreadValue] == 1 && report[.imported] == 1)
    #expect(try store.list().row(at: 0)?.tags == ["one"])
    let reason = try #require(events.first { $0.outcome == .unreadValue }?.error?.reason)
    #expect(reason.components(separatedBy: "has a comma, or more than 100").count == count + 1)
  }

  // MARK: - Large notes

  @Test func `a large note gets its title and tags`() async throws {
    let picture = String(repeating: "0123456789abcdef", count: 100_000)
    try tree.add("big.md", "---\ntitle: Big\ntags: [one]\n---\n![p](data:\(picture))\n")
    try tree.add("plain.md", picture)
    _ = try await importAll()
    for row in try store.list().rows(in: 0..<9) {
      try await store.apply(SnippetEdit(title: "New title", addedTags: ["two"]), to: row.id)
    }

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.updated] == 2, "\(report)")
    #expect(
      try tree.text("big.md").hasPrefix("---\ntitle: New title\ntags: [one, two]\n---\n![p]")
    )
    #expect(
      try tree.text("plain.md") == "---\ntitle: New title\ntags:\n  - two\n---\n\(picture)"
    )
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
  }

  private func importAll() async throws -> (events: [ImportEvent], report: ImportReport) {
    let (report, events) = try await store.importAll([tree.url])
    return (events, report)
  }
}
