import CLibraryChecks
import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SystemPackage
import Testing

@testable import SnippetExchange

/// Archives that are imported as the folders in them are.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ArchiveImportTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("downloads")
  }

  private static let notes = SampleArchive([
    .init("Home/", Data(), type: "5"),
    .init("Home/list.md", "Milk #shopping"),
    .init("Home/Kitchen/pan.png", Samples.png),
    .init("other.txt", "text"),
  ])

  @discardableResult
  private func importAll(
    _ url: URL,
    _ options: ImportOptions = .init()
  ) async throws -> (report: ImportReport, events: [ImportEvent]) {
    try await store.importAll([url], options)
  }

  private func titles() throws -> [String] {
    try store.list(order: .byTitle).rows(in: 0..<99).map(\.title)
  }

  // MARK: - What a user expects

  @Test func `an archive that would bring its snippets back is named while it is there`()
    async throws
  {
    let url = try tree.add("notes.zip", Self.notes.bytes(.zip))
    try await importAll(url)
    let ids = try store.list().rows(in: 0..<9).map(\.id)

    let named = try await store.remainder(of: ids).archives
    #expect(named.map(\.lastPathComponent) == ["notes.zip"])

    #expect(try await store.remainder(of: []).archives.isEmpty)
    #expect(try await store.remainderOfTrash(before: nil).archives.isEmpty)
    try await store.moveToTrash(ids)
    let trashed = try await store.remainderOfTrash(before: nil).archives
    #expect(trashed.map(\.lastPathComponent) == ["notes.zip"])
    #expect(try await store.remainderOfTrash(before: .distantPast).archives.isEmpty)
    try tree.remove("notes.zip")
    #expect(try await store.remainder(of: ids).archives.isEmpty)
  }

  @Test(arguments: SampleArchive.Format.allCases)
  func `an archive is imported as the folder in it, whatever its name`(
    format: SampleArchive.Format
  ) async throws {
    let url = try tree.add("download", Self.notes.bytes(format))

    let (report, events) = try await importAll(url, .init(makesTagsOfFolders: true))

    #expect(report[.imported] == 3 && report[.failed] == 0, "\(events)")
    let rows = try store.list(order: .byTitle).rows(in: 0..<9)
    #expect(rows.map(\.title) == ["list", "other", "pan"])
    #expect(rows[0].tags == ["Home", "shopping"] && rows[2].tags == ["Home", "Kitchen"])
    #expect(rows[0].createdAt.timeIntervalSince1970 == Double(SampleArchive.seconds))
    #expect(
      Set(events.map(\.file.path)) == [
        url.path + "/Home/list.md", url.path + "/Home/Kitchen/pan.png", url.path + "/other.txt",
      ]
    )
    let origins = try await store.origins(of: rows[0].id)
    #expect(origins.map(\.url.path) == [url.path + "/Home/list.md"])
  }

  @Test func `each of many archives names its own files`() async throws {
    let urls = try (0..<12).map { number in
      try tree.add("\(number).zip", SampleArchive([.init("a.md", "text \(number)")]).bytes(.zip))
    }
    let paths = Lock<[String]>([])

    try await store.importFiles(at: urls) { event in paths.withLock { $0.append(event.file.path) } }

    #expect(paths.withLock { $0 }.sorted() == urls.map { $0.path + "/a.md" }.sorted())
  }

  @Test(arguments: SampleArchive.Format.allCases)
  func `importing an archive again adds nothing, even after an edit`(
    format: SampleArchive.Format
  ) async throws {
    let url = try tree.add("notes", Self.notes.bytes(format))
    try await importAll(url)
    let id = try #require(try store.list(order: .byTitle).row(at: 0)).id
    try await store.apply(SnippetEdit(text: "edited"), to: id)

    let report = try await importAll(url).report

    #expect(report[.unchanged] == 3 && report[.imported] == 0, "\(report)")
    #expect(try await store.text(of: id) == "edited")
  }

  @Test(arguments: SampleArchive.Format.allCases)
  func `an edit that keeps the size and the date of a member is found`(
    format: SampleArchive.Format
  ) async throws {
    let url = try tree.add("notes", Self.notes.bytes(format))
    try await importAll(url)
    var newer = Self.notes
    newer.members[1].bytes = Data("Eggs #shopping".utf8)
    try tree.add("notes", newer.bytes(format))

    let report = try await importAll(url).report

    #expect(report[.updated] == 1 && report[.unchanged] == 2, "\(report)")
  }

  @Test func `the same archive under another name adds nothing`() async throws {
    try await importAll(tree.add("notes.zip", Self.notes.bytes(.zip)))

    let report = try await importAll(tree.add("notes (1).zip", Self.notes.bytes(.zip))).report

    #expect(report[.duplicate] == 3 && report[.imported] == 0, "\(report)")
  }

  @Test func `a newer archive in its place updates the notes`() async throws {
    let url = try tree.add("notes.tar", Self.notes.bytes(.tar))
    try await importAll(url)
    var newer = Self.notes
    newer.members[1].bytes = Data("Milk and eggs".utf8)
    newer.members.removeLast()
    try tree.add("notes.tar", newer.bytes(.tar))

    let report = try await importAll(url, .init(movesMissingToTrash: true)).report

    #expect(report[.updated] == 1 && report[.trashed] == 1 && report[.unchanged] == 1, "\(report)")
  }

  @Test func `a folder around an archive does not miss its members`() async throws {
    try tree.add("note.md", "note")
    let url = try tree.add("notes.zip", Self.notes.bytes(.zip))
    try await importAll(url)
    try await importAll(tree.url)
    try tree.remove("notes.zip")

    let report = try await importAll(tree.url, .init(movesMissingToTrash: true)).report

    #expect(report[.trashed] == 0 && report.missingCount == 0, "\(report)")
    #expect(try titles() == ["list", "note", "other", "pan"])
  }

  @Test func `a folder around an imported archive can be exported to`() async throws {
    let url = try tree.add("notes.zip", Self.notes.bytes(.zip))
    try await importAll(url)

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.failed] == 0 && report[.exported] == 3, "\(report)")
    #expect(try tree.text("Home/list.md") == "Milk #shopping")
    #expect(try Data(contentsOf: url) == Self.notes.bytes(.zip))
  }

  @Test func `an export in an archive brings back its snippets`() async throws {
    let id = try await store.save(SnippetDraft(.text("Milk"), title: "List", tags: ["mine"])).id
    let out = TemporaryDirectory.file("out")
    try await store.export(to: out)
    let names = try #require(FileManager.default.enumerator(atPath: out.path))
      .compactMap { $0 as? String }
    let members = try names.compactMap { name -> SampleArchive.Member? in
      let url = out.appendingPathComponent(name)
      guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else {
        return nil
      }
      return .init(name, try Data(contentsOf: url))
    }
    let other = try TemporaryStore.open("other.sqlite")

    let report = try await other.importFiles(
      at: [tree.add("out.zip", SampleArchive(members).bytes(.zip))]
    )

    #expect(report[.imported] == 1, "\(report)")
    let row = try #require(try other.list().row(at: 0))
    #expect(try row.uuid == store.row(id)?.uuid && row.tags == ["mine"])
  }

  @Test func `a dry run tells what is in an archive, and changes nothing`() async throws {
    let url = try tree.add("notes.zip", Self.notes.bytes(.zip))

    let report = try await importAll(url, .init(isDryRun: true)).report

    #expect(report[.imported] == 3)
    #expect(try titles().isEmpty)
  }

  @Test func `documents in ZIP archives and compressed files that hold none are unsupported`()
    async throws
  {
    for (name, first) in [("a.docx", "[Content_Types].xml"), ("a.epub", "mimetype")] {
      try await expectUnsupported(name, SampleArchive([.init(first, "<x/>")]).bytes(.zip))
    }
    try await expectUnsupported("text.gz", SampleArchive.gzip(Data("a text".utf8)))
  }

  private func expectUnsupported(_ name: String, _ bytes: Data) async throws {
    let (report, events) = try await importAll(tree.add(name, bytes))

    #expect(report[.unsupported] == 1 && report[.imported] == 0, "\(events)")
  }

  // MARK: - Archives in archives

  private static let parts = SampleArchive([
    .init("Part-1.zip", SampleArchive([.init("Home/a.md", "one")]).bytes(.zip)),
    .init(
      "in/Part-2.tgz",
      SampleArchive([.init("Home/b.md", String(repeating: "two ", count: 500))]).bytes(.gzip)
    ),
  ])

  @Test func `the archives in one that holds nothing else are unpacked`() async throws {
    let url = try tree.add("export.zip", Self.parts.bytes(.zip))

    let (report, events) = try await importAll(url, .init(makesTagsOfFolders: true))

    #expect(report[.imported] == 2 && events.count == 2, "\(events)")
    let rows = try store.list(order: .byTitle).rows(in: 0..<9)
    #expect(rows.map { Set($0.tags) } == [["Home"], ["Home", "in"]])
    #expect(events.contains { $0.file.path == url.path + "/Part-1.zip/Home/a.md" }, "\(events)")
    #expect(try await importAll(url).report[.unchanged] == 2)
  }

  @Test func `an archive in one that holds other files too is named`() async throws {
    var archive = Self.parts
    archive.members.append(.init("note.md", "note"))

    let (report, events) = try await importAll(tree.add("export.zip", archive.bytes(.zip)))

    #expect(report[.imported] == 1 && report[.leftOut] == 2, "\(events)")
    let advice = events.compactMap(\.error?.recoverySuggestion).first
    #expect(advice?.hasPrefix("Unpack the archive around it") == true, "\(events)")
  }

  @Test func `an archive in an archive in another one is named, and the advice is in the reason`()
    async throws
  {
    let archive = SampleArchive([.init("All parts.zip", Self.parts.bytes(.zip))])

    let (report, events) = try await importAll(tree.add("export.zip", archive.bytes(.zip)))

    #expect(report[.leftOut] == 2 && report[.imported] == 0, "\(events)")
    let first = try #require(events.first { $0.file.path.hasSuffix("/All parts.zip/Part-1.zip") })
    #expect(
      first.error?.reason
        == "it is an archive in another one: unpack the outer one, and import this one by its own path"
    )
    #expect(events.allSatisfy { !$0.isNotice })
  }

  @Test func `a damaged archive in another one costs itself`() async throws {
    var archive = Self.parts
    archive.members[1].bytes.removeLast(2000)

    let (report, events) = try await importAll(tree.add("export.zip", archive.bytes(.zip)))

    #expect(report[.imported] == 1 && report[.failed] > 0, "\(events)")
    #expect(try titles() == ["a"])
  }

  @Test func `archives in one share its limits`() throws {
    let part = SampleArchive([.init("a.md", Data(count: 1 << 20))]).bytes(.zip)
    let archive = SampleArchive((0..<4).map { SampleArchive.Member("\($0).zip", part) })
    var roots = try unpack(archive, .init(ratio: 0, freeByteCount: 6 << 20))
    defer { roots.remove() }

    let reasons = roots.all[0].entries.map(reason)
    #expect(reasons.count == 3, "\(reasons)")
    #expect(reasons.allSatisfy { $0.hasPrefix("it unpacks to more than") }, "\(reasons)")
  }

  // MARK: - What must not happen

  @Test func `members that lead out of an archive are named and written nowhere`() async throws {
    let archive = SampleArchive([
      .init("../outside.md", "outside"), .init("/tmp/snippets-outside.md", "outside"),
      .init("a/../../outside.md", "outside"), .init("link.md", "/etc/passwd", type: "2"),
      .init("second.md", "inside.md", type: "1"), .init("inside.md", "inside"),
    ])

    let (report, events) = try await importAll(tree.add("a.tar", archive.bytes(.tar)))

    #expect(report[.imported] == 1 && report[.leftOut] == 5, "\(events)")
    #expect(try titles() == ["inside"])
    #expect(!FileStatus.exists("/tmp/snippets-outside.md"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: tree.url.path) == ["a.tar"])
    let reasons = events.compactMap(\.error?.reason)
    #expect(reasons.contains { $0.contains("../outside.md") }, "\(reasons)")
  }

  @Test func `a member with a longer name than any file is named by its beginning`() async throws {
    let long = String(repeating: "name ", count: 1_000) + ".md"
    let archive = SampleArchive([.init(long, "text"), .init("a.md", "text")])

    let (report, events) = try await importAll(tree.add("a.zip", archive.bytes(.zip)))

    #expect(report[.imported] == 1 && report[.leftOut] == 1, "\(events)")
    let reason = try #require(events.compactMap(\.error?.reason).first)
    #expect(reason.hasPrefix("its member name name "), "\(reason)")
    #expect(reason.hasSuffix("… has a longer name than any file can have"), "\(reason)")
  }

  @Test func `a path through a link of the archive is no way out`() async throws {
    let archive = SampleArchive([
      .init("way", tree.url.path, type: "2"), .init("way/outside.md", "outside"),
    ])

    let report = try await importAll(tree.add("a.tar", archive.bytes(.tar))).report

    #expect(report[.leftOut] == 1 && report[.imported] == 1, "\(report)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: tree.url.path) == ["a.tar"])
  }

  @Test func `an encrypted member is named, and the others are imported`() async throws {
    let archive = SampleArchive([
      .init("secret.md", Data("secret".utf8), isEncrypted: true), .init("open.md", "open"),
    ])
    let url = try tree.add("a.zip", archive.bytes(.zip))

    let (report, events) = try await importAll(url)

    #expect(report[.imported] == 1 && report[.failed] == 1, "\(events)")
    let failed = try #require(events.first { $0.outcome == .failed })
    #expect(failed.file.path == url.path + "/secret.md")
    #expect(failed.error?.reason == "it is encrypted")
  }

  @Test(arguments: SampleArchive.Format.allCases)
  func `of an archive that is cut short, what is whole is imported, and the rest is named`(
    format: SampleArchive.Format
  ) async throws {
    let long = Data(repeating: UInt8(ascii: "x"), count: 300_000)
    let whole = SampleArchive([.init("a.md", "first"), .init("b.md", long)]).bytes(format)
    let url = try tree.add("cut", whole.prefix(whole.count - 60_000))

    let (report, events) = try await importAll(url)

    #expect(report[.imported] == 1 && report[.failed] == 2, "\(events)")
    #expect(try titles() == ["a"])
    let failed = events.filter { $0.outcome == .failed }
    #expect(Set(failed.map(\.file.path)) == [url.path, url.path + "/b.md"])
    for event in failed {
      #expect(event.error?.reason.contains("cut short or damaged after 2 of its members") == true)
      #expect(event.error.map { "\($0)".contains("snippets-archive-") } == false, "\(event)")
    }
  }

  @Test func `a damaged member of a ZIP archive costs itself`() async throws {
    var bytes = SampleArchive([
      .init("a.md", "first"), .init("b.md", "wrong"), .init("c.md", "third"),
    ]).bytes(.zip)
    // Both heads of the second say that it is compressed, and its bytes are not.
    for (head, methodOffset) in [(3, 8), (1, 10)] as [(UInt8, Int)] {
      let mark = Data([0x50, 0x4B, head, head + 1])
      let first = try #require(bytes.range(of: mark))
      let second = try #require(bytes.range(of: mark, in: first.upperBound..<bytes.endIndex))
      bytes[second.lowerBound + methodOffset] = 8
    }
    let url = try tree.add("damaged.zip", bytes)

    let (report, events) = try await importAll(url)

    #expect(report[.imported] == 2 && report[.failed] == 1, "\(events)")
    #expect(try titles() == ["a", "c"])
    let failed = events.first { $0.outcome == .failed }
    #expect(failed?.file.path == url.path + "/b.md")
    #expect(failed?.error?.reason.contains("damaged after 2 of its members") == true)
  }

  @Test(arguments: SampleArchive.Format.allCases)
  func `an archive that is cut behind a member is imported, and named as cut`(
    format: SampleArchive.Format
  ) async throws {
    let archive = SampleArchive([.init("a.md", "first"), .init("b.md", "second")])
    let cut: Data
    switch format {
    // Within the list of the members, which comes last.
    case .zip: cut = archive.bytes(.zip).dropLast(40)
    case .tar: cut = archive.bytes(.tar).prefix(4 * 512)
    case .gzip: cut = SampleArchive.gzip(archive.bytes(.tar).prefix(4 * 512))
    }
    let url = try tree.add("cut", cut)

    let (report, events) = try await importAll(url)

    #expect(report[.imported] == 2 && report[.failed] == 1, "\(events)")
    let failed = try #require(events.first { $0.outcome == .failed })
    #expect(failed.file.path == url.path)
    #expect(
      failed.error?.reason.contains("cut short after 2 of its members: ") == true,
      "\(failed)"
    )
    // Nothing of it counts as gone.
    #expect(try await importAll(url, .init(movesMissingToTrash: true)).report[.trashed] == 0)
  }

  @Test func `an archive with bytes behind it is whole`() async throws {
    let archive = SampleArchive([.init("a.md", "first")])
    let (zip, tar) = (archive.bytes(.zip), archive.bytes(.tar))
    let behind = Data("behind".utf8)
    let all = [
      zip, zip + behind, zip + Data(count: 70_000), tar, tar + behind, tar + Data(count: 70_000),
      tar + Data(count: 700) + behind,
    ]
    for (number, bytes) in all.enumerated() {
      let (report, events) = try await importAll(tree.add("\(number)", bytes))
      #expect(report[.failed] == 0, "\(number): \(events)")
    }
  }

  @Test(arguments: [0, 8192, 70_144])
  func `two tar archives that were joined are imported, and the zeros between them are named`(
    zeroCount: Int
  ) async throws {
    let first = SampleArchive([.init("a.md", "first")]).bytes(.tar)
    let second = SampleArchive([.init("b.md", "second")]).bytes(.tar)
    let url = try tree.add("joined.tar", first + Data(count: zeroCount) + second)

    let (report, events) = try await importAll(url)

    #expect(report[.imported] == 2 && report[.failed] == 1, "\(events)")
    let failed = try #require(events.first { $0.outcome == .failed })
    #expect(failed.file.path == url.path)
    #expect(
      failed.error?.reason.contains("zeros as at an end stand behind its member a.md") == true,
      "\(failed)"
    )
    // Nothing of it counts as gone.
    #expect(try await importAll(url, .init(movesMissingToTrash: true)).report[.trashed] == 0)
  }

  @Test func `of two compressed tar archives that were joined, both are imported`() async throws {
    let first = SampleArchive([.init("a.md", "first")]).bytes(.gzip)
    let second = SampleArchive([.init("b.md", "second")]).bytes(.gzip)
    let url = try tree.add("joined.tgz", first + second)

    let (report, events) = try await importAll(url)

    #expect(report[.imported] == 2 && report[.failed] == 1, "\(events)")
    let failed = try #require(events.first { $0.outcome == .failed })
    #expect(failed.error?.reason.contains("two archives were joined") == true)
  }

  @Test func `one tar archive that was compressed in pieces is one, whatever stands behind it`()
    async throws
  {
    let tar = SampleArchive([.init("a.md", "first"), .init("b.md", "second")]).bytes(.tar)
    let pieces = SampleArchive.gzip(tar.prefix(700)) + SampleArchive.gzip(Data(tar.dropFirst(700)))
    let whole = SampleArchive.gzip(tar)
    let all = [pieces, whole + Data("behind".utf8), whole + SampleArchive.gzip(Data("x".utf8))]
    for (number, bytes) in all.enumerated() {
      let (report, events) = try await importAll(tree.add("\(number).tgz", bytes))
      #expect(report[.failed] == 0, "\(number): \(events)")
    }
  }

  @Test(arguments: SampleArchive.Format.allCases)
  func `unpacking tells how far it is`(format: SampleArchive.Format) throws {
    let long = Data((0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
    let archive = SampleArchive([.init("a.bin", long), .init("b.md", "second")]).bytes(format)
    let url = try tree.add("a", archive)
    var steps: [StoreProgress] = []

    var roots = try ImportRoots(unpacking: [url], onUnpack: { steps.append($0) }) {}
    roots.remove()

    #expect(steps.count > 2)
    #expect(steps.allSatisfy { $0.totalByteCount == Int64(archive.count) })
    #expect(steps.map(\.completedByteCount) == steps.map(\.completedByteCount).sorted())
    #expect(steps.last.map { $0.completedByteCount > 0 } == true)
  }

  @Test func `of a compressed archive without a whole member, the cut is named`() async throws {
    let whole = Self.notes.bytes(.gzip)

    let (report, events) = try await importAll(tree.add("a.tgz", whole.prefix(200)))

    #expect(report[.failed] == 1 && report[.unsupported] == 0, "\(events)")
  }

  @Test func `an archive that is cut short moves nothing to the trash`() async throws {
    let whole = Self.notes.bytes(.tar)
    let url = try tree.add("a.tar", whole)
    try await importAll(url)
    try tree.add("a.tar", whole.prefix(1100))

    let report = try await importAll(url, .init(movesMissingToTrash: true)).report

    #expect(report[.trashed] == 0 && report[.failed] > 0, "\(report)")
  }

  @Test func `names of members in other encodings are read`() async throws {
    var zip = SampleArchive([.init("x", "one"), .init("äöü/日本.md", "two")])
    zip.members[0].name = [0x81, 0x62, 0x2E, 0x6D, 0x64]
    var tar = SampleArchive([.init("x", "three")])
    tar.members[0].name = [0xFC, 0x62, 0x2E, 0x6D, 0x64]

    try await importAll(tree.add("a.zip", zip.bytes(.zip)))
    try await importAll(tree.add("a.tar", tar.bytes(.tar)))

    #expect(try titles() == ["üb", "üb", "日本"])
  }

  @Test(
    arguments: [
      (
        "会議メモ", ["写真の説明", "日記", "買い物リスト"],
        [
          "89EF8B63838183822F948382A295A8838A835883672E747874",
          "89EF8B63838183822F8ECA905E82CC90E096BE2E747874",
          "93FA8B4C2E747874",
        ]
      ),
      (
        "Документы", ["Дневник", "Письмо", "Список покупок"],
        [
          "84AEAAE3ACA5ADE2EB2F91AFA8E1AEAA20AFAEAAE3AFAEAA2E747874",
          "84AEAAE3ACA5ADE2EB2F84ADA5A2ADA8AA2E747874",
          "8FA8E1ECACAE2E747874",
        ]
      ),
    ] as [(String, [String], [String])]
  )
  func `names in a ZIP archive are read by all of them, and the unpacking goes on`(
    folder: String,
    names: [String],
    digits: [String]
  ) async throws {
    var zip = SampleArchive([SampleArchive.Member("plain.txt", "text")])
    zip.members += (0..<1000).map { SampleArchive.Member("empty/\($0)/", "") }
    for name in digits {
      var member = SampleArchive.Member("x", String(repeating: "\(name) ", count: 8000))
      member.name = [UInt8](try #require(Data(hexadecimal: name)))
      zip.members.append(member)
    }

    let (report, events) = try await importAll(
      tree.add("a.zip", zip.bytes(.zip)),
      .init(makesTagsOfFolders: true)
    )

    #expect(report[.imported] == 4 && report[.failed] == 0, "\(events)")
    #expect(try Set(titles()) == Set(names + ["plain"]))
    #expect(try await store.tags().map(\.name) == [folder])
  }

  @Test(arguments: [SampleArchive.Format.tar, .gzip])
  func `names in a tar archive are read by all of them, and the unpacking goes on`(
    format: SampleArchive.Format
  ) async throws {
    // Документы/Отпуск поездка.txt, Документы/Дневник.txt and Список покупок.txt in KOI8-R.
    let digits = [
      "E4CFCBD5CDC5CED4D92FEFD4D0D5D3CB20D0CFC5DAC4CBC12E747874",
      "E4CFCBD5CDC5CED4D92FE4CEC5D7CEC9CB2E747874", "F3D0C9D3CFCB20D0CFCBD5D0CFCB2E747874",
    ]
    var archive = SampleArchive([SampleArchive.Member("plain.txt", "text")])
    for name in digits {
      var member = SampleArchive.Member("x", String(repeating: "\(name) ", count: 8000))
      member.name = [UInt8](try #require(Data(hexadecimal: name)))
      archive.members.append(member)
    }

    let (report, events) = try await importAll(
      tree.add("a", archive.bytes(format)),
      .init(makesTagsOfFolders: true)
    )

    #expect(report[.imported] == 4 && report[.failed] == 0, "\(events)")
    #expect(try Set(titles()) == ["plain", "Отпуск поездка", "Дневник", "Список покупок"])
    #expect(try await store.tags().map(\.name) == ["Документы"])
  }

  @Test(arguments: SampleArchive.Format.allCases)
  func `of members with one name the last one counts, and a file is no folder`(
    format: SampleArchive.Format
  ) async throws {
    let archive = SampleArchive([
      .init("a.md", "a long first"), .init("a.md", "second"), .init("a.md/b.md", "third"),
    ])

    let (report, events) = try await importAll(tree.add("a", archive.bytes(format)))

    #expect(report[.imported] == 1 && report[.failed] == 1, "\(events)")
    #expect(report[.leftOut] == 1, "\(events)")
    let id = try #require(try store.list().row(at: 0)).id
    #expect(try await store.text(of: id) == "second")
  }

  @Test(arguments: SampleArchive.Format.allCases)
  func `names that differ only in composed letters are two`(
    format: SampleArchive.Format
  ) async throws {
    let archive = SampleArchive([.init("\u{E9}.md", "one"), .init("e\u{301}.md", "two")])

    let (report, events) = try await importAll(tree.add("a", archive.bytes(format)))

    #expect(report[.imported] == 2 && report[.failed] == 0, "\(events)")
  }

  @Test(arguments: [
    (SampleArchive.Format.tar, UInt32(0)), (SampleArchive.Format.tar, UInt32(1)),
    (SampleArchive.Format.gzip, UInt32(0)), (SampleArchive.Format.zip, UInt32(315_532_800)),
  ])
  func `a member without a date has that of the archive`(
    format: SampleArchive.Format,
    seconds: UInt32
  ) async throws {
    var archive = SampleArchive([.init("a.md", "text")])
    archive.date = seconds
    let url = try tree.add("a", archive.bytes(format))
    let written = Date(timeIntervalSince1970: 1_600_000_000)
    try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: url.path)

    #expect(try await importAll(url).report[.imported] == 1)

    #expect(try store.list().row(at: 0)?.createdAt == written)
  }

  @Test func `a hard link is a file with the content of the member that it names`() async throws {
    let archive = SampleArchive([
      .init("one/a.md", "text"), .init("two/b.md", "one/a.md", type: "1"),
      .init("c.md", "one", type: "1"), .init("d.md", "../a.md", type: "1"),
    ])

    let (report, events) = try await importAll(tree.add("a.tar", archive.bytes(.tar)))

    #expect(report[.imported] == 2 && report[.leftOut] == 2, "\(events)")
    let rows = try store.list(order: .byTitle).rows(in: 0..<9)
    #expect(rows.map(\.title) == ["a", "b"])
    for row in rows { #expect(try await store.text(of: row.id) == "text") }
  }

  // MARK: - Bounds

  @Test func `an archive with too many members ends there`() throws {
    var roots = try unpack(Self.notes, .init(memberCount: 2))
    defer { roots.remove() }

    #expect(!roots.all[0].isComplete)
    #expect(roots.all[0].entries.map(reason) == ["it has more than 2 members"])
  }

  @Test func `folders that no member stands for count as members`() throws {
    let deep = String(repeating: "f/", count: 46) + "note.md"
    let archive = SampleArchive([.init(deep, "text"), .init("note.md", "text")])
    var roots = try unpack(archive, .init(memberCount: 40))
    defer { roots.remove() }

    #expect(roots.all[0].entries.map(reason) == ["it has more than 40 members"])
  }

  @Test func `an archive that unpacks to far more than its size ends there`() throws {
    let archive = SampleArchive([.init("a.md", "a"), .init("b.md", Data(count: 1 << 20))])
    var roots = try unpack(archive, .init(ratio: 0, freeByteCount: 1 << 19))
    defer { roots.remove() }

    let reasons = roots.all[0].entries.map(reason)
    #expect(reasons.count == 1 && reasons[0].hasPrefix("it unpacks to more than"), "\(reasons)")
    let names = try FileManager.default.contentsOfDirectory(atPath: roots.all[0].path)
    #expect(names == ["a.md"])
  }

  private func unpack(
    _ archive: SampleArchive,
    _ limits: ArchiveUnpacking.Limits
  ) throws -> ImportRoots {
    let url = try tree.add("a.tar", archive.bytes(.tar))
    // Imports of other tests would remove what is left there.
    let place = TemporaryDirectory.current.url.path
    return try ImportRoots(unpacking: [url], in: place, limits: limits) {}
  }

  private func reason(_ entry: FileWalk.Entry) -> String {
    guard case .failure(_, let error) = entry else { return "" }
    return (error as? SnippetStoreError)?.reason ?? ""
  }

  @Test func `what is unpacked is private, and gone at the end, even after a kill`() throws {
    let place = TemporaryDirectory.current.url.path
    let killed = try leftFolder(beginning: "\(place)/\(ImportRoots.prefix)")
    let other = try PrivateFolder.make("\(place)/\(ImportRoots.prefix)")
    defer { other.remove() }

    var roots = try unpack(Self.notes, .init())

    #expect(!FileStatus.exists(killed) && FileStatus.exists(other.path))
    let folder = (roots.all[0].path as NSString).deletingLastPathComponent
    let rights = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions]
    #expect((rights as? NSNumber)?.intValue == 0o700)
    roots.remove()
    #expect(!FileStatus.exists(folder))
  }

  /// Makes a folder as a process leaves it that is killed.
  private func leftFolder(beginning prefix: String) throws -> String {
    // It is in use until the return.
    let folder = try PrivateFolder.make(prefix)
    try Data("left".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/note.md"))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -120)],
      ofItemAtPath: folder.path
    )
    return folder.path
  }

  @Test(arguments: [SampleArchive.Format.zip, .gzip])
  func `without libarchive an error says what to install`(format: SampleArchive.Format) throws {
    let url = try tree.add("notes", Self.notes.bytes(format))

    let roots = try ImportRoots(unpacking: [url], hasLibrary: { false }) {}

    #expect(!roots.all[0].isWalked)
    guard case .failure(_, let error as SnippetStoreError) = roots.all[0].entries[0] else {
      Issue.record("\(roots.all[0].entries)")
      return
    }
    #expect(error.reason.contains("libarchive"))
    #expect(error.recoverySuggestion?.contains("apt install libarchive13") == true)
  }

  @Test func `too many open files are not told as a fault of the temporary folder`() {
    let cause = FileError("/some/folder", .tooManyOpenFiles)

    let error = SnippetStoreError(unpacking: URL(fileURLWithPath: "/notes.zip"), cause)

    #expect(error.code == .inputOutput)
    #expect(error.recoverySuggestion?.contains("TMPDIR") == false, "\(error)")
    #expect(error.recoverySuggestion?.contains("ulimit -n") == true, "\(error)")
  }

  // To run, the headers are not needed. CI has them.
  @Test(.enabled(if: snippet_archive_library_checked_call_count() > 0))
  func `libarchive is declared as in its headers`() {
    #expect(snippet_archive_library_checked_call_count() == 27)
  }

  @Test(.enabled(if: snippet_unpacking_libraries_checked_call_count() > 0))
  func `the libraries that unpack are declared as in their headers`() {
    #expect(snippet_unpacking_libraries_checked_call_count() == 10)
  }

  @Test func `many threads can ask for the version of libarchive at once`() async {
    let versions = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<2_000 { group.addTask { ArchiveLibrary.version } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }

    #expect(versions.count == 1)
  }

  @Test func `the version of libarchive is known`() throws {
    #expect(try #require(ArchiveLibrary.version).hasPrefix("libarchive 3."))
  }
}
