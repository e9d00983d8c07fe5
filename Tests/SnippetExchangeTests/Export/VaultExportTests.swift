import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SystemPackage
import Testing

@testable import SnippetExchange

/// A folder of notes that goes into a store and comes out of it.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct VaultExportTests {
  let store: SnippetStore
  let out = TemporaryDirectory.file("out")

  init() throws {
    store = try TemporaryStore.open()
  }

  // MARK: - Both ways

  @Test func `a vault comes back byte for byte, with its names and dates`() async throws {
    let vault = try Vault("vault")
    try await store.importFiles(at: [vault.tree.url], options: .init(makesTagsOfFolders: true))

    let report = try await store.exportMarkdown(to: out)

    #expect(report[.exported] == vault.files.count, "\(report)")
    #expect(report[.conflict] + report[.failed] + report[.unchanged] == 0)
    #expect(try contents(of: out) == vault.files)
    for name in vault.names {
      #expect(try date(out, name) == date(vault.tree.url, name), "\(name)")
    }
    let again = try await store.exportMarkdown(to: out)
    #expect(again[.unchanged] == vault.files.count && again[.exported] == 0)
    let back = try await store.exportMarkdown(to: vault.tree.url)
    #expect(back[.unchanged] == vault.files.count && back[.updated] == 0, "\(back)")
    #expect(try contents(of: vault.tree.url) == vault.files)
    #expect(try await store.check().isSound)
  }

  @Test func `a date that no file has becomes the nearest one that files have`() async throws {
    // Of 1500 and 2300, the nanoseconds would wrap around to 2084 and 1715.
    for (title, seconds) in [("old", -14_831_769_600.0), ("new", 10_413_792_000.0)] {
      let created = Date(timeIntervalSince1970: seconds)
      try await store.save(SnippetDraft(.text(title), title: title, createdAt: created))
    }

    try await store.exportMarkdown(to: out)

    #expect(try date(out, "old.md") < date(out, "new.md"))
  }

  @Test func `what is edited in the store is edited in the folder, and nothing else`() async throws
  {
    let vault = try Vault("vault")
    try await store.importFiles(at: [vault.tree.url])
    let id = try #require(try row("note")?.id)
    try await store.apply(SnippetEdit(text: "edited #tag"), to: id)
    let before = try stamps(of: vault.tree.url)

    let report = try await store.exportMarkdown(to: vault.tree.url)

    #expect(report[.updated] == 1 && report[.exported] + report[.conflict] == 0)
    var expected = vault.files
    expected["note.md"] = Data("edited #tag".utf8)
    #expect(try contents(of: vault.tree.url) == expected)
    let after = try stamps(of: vault.tree.url)
    #expect(after.filter { before[$0.key] != $0.value }.map(\.key) == ["note.md"])
    #expect(
      try await store.importFiles(at: [vault.tree.url])[.unchanged] == vault.files.count
    )
  }

  @Test func `what has no place in a note is front matter, and comes back from there`()
    async throws
  {
    let tree = try FileTree("vault")
    try tree.add("a.md", "text #told\n")
    try tree.add("b.md", "---\ntags: [x, kept]\naliases: [z]\n---\ntext\n")
    try tree.add("c.txt", "no Markdown")
    try await store.importFiles(at: [tree.url])
    let ids = try ["a", "b", "c"].map { try #require(try row($0)?.id) }
    try await store.apply(SnippetEdit(title: "New: title", addedTags: ["mine"]), to: ids[0])
    try await store.apply(SnippetEdit(isPinned: true, removedTags: ["x"]), to: ids[1])
    try await store.apply(SnippetEdit(addedTags: ["lost"]), to: ids[2])

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.updated] == 2 && report[.unchanged] == 1 && report[.conflict] == 0)
    #expect(report[.incomplete] == 1, "\(report)")
    #expect(
      try text(tree.url, "a.md")
        == "---\ntitle: \"New: title\"\ntags:\n  - mine\n---\ntext #told\n"
    )
    #expect(
      try text(tree.url, "b.md")
        == "---\ntags: [kept]\naliases: [z]\npinned: true\n---\ntext\n"
    )
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 3)
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 3)
    // Edited there, with the tag taken off: no conflict, and the tag goes.
    try tree.add("a.md", "---\ntitle: \"New: title\"\n---\nedited #told\n")
    let back = try await store.importFiles(at: [tree.url])
    #expect(back[.updated] == 1 && back[.conflict] == 0, "\(back)")
    let edited = try #require(try store.row(ids[0]))
    #expect(edited.title == "New: title" && edited.tags == ["told"])
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 3)
  }

  @Test func `a folder that was exported to is a folder to import from`() async throws {
    try await store.save(SnippetDraft(.text("Milk"), title: "List", tags: ["shop"]))
    try await store.exportMarkdown(to: out)
    #expect(try text(out, "List.md") == "---\ntags:\n  - shop\n---\nMilk")
    try Data("---\ntags:\n  - shop\n  - home\n---\nMilk, eggs".utf8)
      .write(to: out.appendingPathComponent("List.md"))

    let report = try await store.importFiles(at: [out])

    #expect(report[.updated] == 1 && report[.imported] == 0, "\(report)")
    #expect(try row("List")?.tags == ["home", "shop"])
    #expect(try store.list().count == 1)
    #expect(try await store.exportMarkdown(to: out)[.unchanged] == 1)
  }

  // MARK: - Conflicts

  @Test func `a folder in the place of a file stays, with advice that helps`() async throws {
    let tree = try FileTree("vault")
    try tree.add("a.md", "a")
    try await store.importFiles(at: [tree.url])
    let place = tree.url.appendingPathComponent("a.md")
    try FileManager.default.removeItem(at: place)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let advice = Lock<[String?]>([])

    let report = try await store.exportMarkdown(to: tree.url) { event in
      advice.withLock { $0.append(event.error?.recoverySuggestion) }
    }

    #expect(report[.conflict] == 1, "\(report)")
    #expect(advice.withLock { $0 } == ["Move away what is there, then export again."])
    try FileManager.default.removeItem(at: place)
    let again = MarkdownExportOptions(writesMissing: true)
    #expect(try await store.exportMarkdown(to: tree.url, options: again)[.exported] == 1)
  }

  @Test func `a file that was changed since or is of somebody else is left as it is`()
    async throws
  {
    let tree = try FileTree("vault")
    for name in ["a.md", "b.md", "c.md"] { try tree.add(name, "old \(name)") }
    try await store.importFiles(at: [tree.url])
    for name in ["a", "b", "c"] {
      try await store.apply(SnippetEdit(text: "new"), to: try #require(try row(name)?.id))
    }
    try tree.add("a.md", "theirs")
    try tree.add("other.md", "of somebody else")
    try FileManager.default.removeItem(at: tree.url.appendingPathComponent("c.md"))
    let conflicts = Lock<[String]>([])

    let report = try await store.exportMarkdown(to: tree.url) { event in
      if event.outcome == .conflict, let file = event.file {
        #expect(event.error?.code == .conflict)
        conflicts.withLock { $0.append(file.lastPathComponent) }
      }
    }

    #expect(conflicts.withLock { $0 } == ["a.md"])
    #expect(report[.conflict] == 1 && report[.updated] == 1 && report[.missing] == 1)
    #expect(
      try contents(of: tree.url).mapValues { String(decoding: $0, as: UTF8.self) } == [
        "a.md": "theirs", "b.md": "new", "other.md": "of somebody else",
      ]
    )
    // Importing settles it, and loses neither.
    #expect(try await store.importFiles(at: [tree.url])[.conflict] == 1)
    #expect(try await store.exportMarkdown(to: tree.url)[.conflict] == 0)
    let found = try contents(of: tree.url).mapValues { String(decoding: $0, as: UTF8.self) }
    #expect(
      found["a.md"] == "theirs" && found["a (conflict).md"] == "---\ntitle: a\n---\nnew",
      "\(found)"
    )
    #expect(found["c.md"] == nil)
  }

  @Test
  func `the versions of a conflict have files beside each other, and nothing is in their way`()
    async throws
  {
    let tree = try FileTree("vault")
    try tree.add("sub/a.md", "old")
    try await store.importFiles(at: [tree.url])
    try await store.apply(SnippetEdit(text: "ours"), to: try #require(try row("a")?.id))
    try tree.add("sub/a.md", "theirs")
    #expect(try await store.importFiles(at: [tree.url])[.conflict] == 1)
    // Until it is written, it is not missing, and another program may take the name.
    let again = try await store.importFiles(
      at: [tree.url],
      options: .init(movesMissingToTrash: true)
    )
    #expect(again[.trashed] == 0 && again[.unchanged] == 1 && again.missingCount == 0, "\(again)")
    try tree.add("sub/a (conflict).md", "of another program")
    #expect(try await store.exportMarkdown(to: tree.url)[.conflict] == 1)
    #expect(try await store.importFiles(at: [tree.url])[.imported] == 1)

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.exported] == 1 && report[.conflict] == 0, "\(report)")
    #expect(try text(tree.url, "sub/a.md") == "theirs")
    #expect(try text(tree.url, "sub/a (conflict).md") == "of another program")
    #expect(try text(tree.url, "sub/a (conflict 2).md") == "---\ntitle: a\n---\nours")
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 3)
  }

  @Test func `a note that was edited here and deleted there is written again`() async throws {
    let tree = try FileTree("vault")
    try tree.add("sub/a.md", "old")
    try tree.add("b.md", "other")
    try await store.importFiles(at: [tree.url])
    try await store.apply(SnippetEdit(text: "ours"), to: try #require(try row("a")?.id))
    try tree.remove("sub/a.md")
    let options = ImportOptions(movesMissingToTrash: true)
    #expect(try await store.importFiles(at: [tree.url], options: options)[.conflict] == 1)
    #expect(try await store.importFiles(at: [tree.url], options: options)[.conflict] == 0)

    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 1)

    #expect(try text(tree.url, "sub/a.md") == "ours")
    #expect(try await store.importFiles(at: [tree.url], options: options)[.unchanged] == 2)
  }

  @Test func `nothing is written through links, and no link or folder is replaced`() async throws {
    let tree = try FileTree("vault")
    try tree.add("folder/a.md", "secret a")
    try tree.add("b.md", "secret b")
    try tree.add("c.md", "secret c")
    try await store.importFiles(at: [tree.url])
    let outside = try FileTree("outside")
    try outside.add("b.md", "outside")
    let target = try FileTree("target")
    try target.addLink("folder", to: outside.url.path)
    try target.addLink("b.md", to: outside.path("b.md"))
    try target.add("c.md/inner.md", "a folder of this name")

    let report = try await store.exportMarkdown(to: target.url)

    #expect(report[.exported] == 0 && report[.conflict] == 3, "\(report)")
    #expect(try contents(of: outside.url) == ["b.md": Data("outside".utf8)])
  }

  @Test func `a hostile path in a store leads nowhere`() async throws {
    let id = try await store.save(SnippetDraft(.text("x"), title: "x")).id
    for path in ["../up.md", "a/../../up.md", "/up.md", "a//b.md", "."] {
      #expect(throws: SnippetStoreError.self) {
        try store.seam.write(to: "test") { db in
          let origins = OriginStatements(db: db)
          try origins.insert(
            OriginRow(
              folder: try origins.makeFolder(at: "/vault"),
              path: path,
              snippet: id,
              stamp: FileStamp(modifiedNanoseconds: 0, byteCount: 0),
              sha256: Data(count: 32)
            )
          )
        }
      }
      let folder = try VaultFolder(path: out.path)
      #expect(throws: FileError.self) { try folder.place(at: path) }
      #expect(throws: FileError.self) { _ = try folder.write(path, date: 0) { nil } }
    }
    #expect(try contents(of: TemporaryDirectory.current.url).keys.allSatisfy { !$0.contains("up") })
  }

  // MARK: - Names

  @Test func `a snippet without a file is named for its title, apart from all others`()
    async throws
  {
    let tree = try FileTree("vault")
    try tree.add("Same.md", "from a file")
    let titles = [
      "Same", "same", "", "../up", ".hidden", "CON", "a/b:c", String(repeating: "é", count: 300),
    ]
    for title in titles {
      try await store.save(SnippetDraft(.text(" \n"), title: title))
    }
    try await store.save(SnippetDraft(.bytes(Samples.png), title: "Same"))
    try await store.importFiles(at: [tree.url])

    let report = try await store.exportMarkdown(to: out)

    #expect(report[.exported] == titles.count + 2, "\(report)")
    let names = try contents(of: out).keys.compactMap(\.removingPercentEncoding)
    #expect(names.contains("Same.md") && names.contains("Same.png"))
    #expect(try text(out, "Same.md") == "from a file")
    #expect(names.contains("Same 2.md") && names.contains("same 3.md"), "\(names)")
    #expect(names.contains("CON_.md") && names.contains("Untitled.md"), "\(names)")
    #expect(names.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") && $0.utf8.count < 256 })
    #expect(try await store.exportMarkdown(to: out)[.unchanged] == titles.count + 2)
  }

  @Test func `files that were given by themselves go back under their names`() async throws {
    let tree = try FileTree("tree")
    let names = ["run.sh", "run.py", "a.YAML", "pic.svg", "notes.txt", "v1.2", "plain", "p.PNG"]
    for name in names where name != "p.PNG" { try tree.add(name, "text of \(name)") }
    try tree.add("p.PNG", Samples.png)
    try await store.importFiles(at: names.map { tree.url.appendingPathComponent($0) })
    try await store.save(SnippetDraft(.text("x"), title: "conf.ini", tags: ["mine"]))

    try await store.exportMarkdown(to: out)

    #expect(
      try contents(of: out).keys.sorted() == [
        "a.YAML", "conf.ini.md", "notes.md", "p.png", "pic.svg", "plain.md", "run.py", "run.sh",
        "v1.md",
      ]
    )
    #expect(try text(out, "run.sh") == "text of run.sh")
    let plain = TemporaryDirectory.file("plain")
    try await store.export(to: plain)
    #expect(try contents(of: plain).keys.contains("texts/1 run.sh"))
    // In a folder the title is made the same way.
    #expect(try await store.importFiles(at: [out])[.unchanged] == 9)
  }

  @Test func `files of several folders have one each`() async throws {
    let (one, two) = try (FileTree("one"), FileTree("two"))
    try one.add("a.md", "1")
    try two.add("a.md", "2")
    try await store.importFiles(at: [one.url, two.url])

    try await store.exportMarkdown(to: out)

    #expect(
      try contents(of: out) == ["one/a.md": Data("1".utf8), "two/a.md": Data("2".utf8)]
    )
    // Where something was only exported to is no place that snippets came from.
    let third = TemporaryDirectory.file("third")
    try await store.exportMarkdown(to: third)
    #expect(try contents(of: third).keys.sorted() == ["one/a.md", "two/a.md"])
    // Into one of them, its own are where they were.
    let report = try await store.exportMarkdown(to: one.url, only: SnippetFilter(tags: []))
    #expect(report[.unchanged] == 1, "\(report)")
  }

  @Test func `only what the filter asks for is written`() async throws {
    try await store.save(SnippetDraft(.text("Milk"), title: "a", tags: ["x"]))
    try await store.save(SnippetDraft(.text("Eggs"), title: "b"))

    try await store.exportMarkdown(to: out, only: SnippetFilter(tags: ["x"]))

    #expect(try contents(of: out).keys.sorted() == ["a.md"])
  }

  @Test func `a store that is only read exports nothing`() async throws {
    let reader = try TemporaryStore.open(configuration: .init(access: .readOnly))

    #expect(await errorCode { try await reader.exportMarkdown(to: out) } == .readOnly)
    #expect(!FileStatus.exists(out.path))
  }

  @Test func `a replaced file keeps its permissions`() async throws {
    let tree = try FileTree("vault")
    let file = try tree.add("a.md", "old")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try await store.importFiles(at: [tree.url])
    try await store.apply(SnippetEdit(text: "new"), to: try #require(try row("a")?.id))

    try await store.exportMarkdown(to: tree.url)

    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o644)
    #expect(try text(tree.url, "a.md") == "new")
  }

  #if os(Linux)
  private typealias SetAttribute =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt
    ) -> CInt
  private typealias GetAttribute =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
    ) -> Int

  // As where a container exports as root into the folder of a person.
  @Test(.enabled(if: getuid() == 0))
  func `a replaced file keeps its owner, its group and the tags of the desktop`() async throws {
    let set = unsafeBitCast(dlsym(nil, "setxattr"), to: SetAttribute.self)
    let get = unsafeBitCast(dlsym(nil, "getxattr"), to: GetAttribute.self)
    let tree = try FileTree("vault")
    let file = try tree.add("a.md", "old")
    try #require(chown(file.path, 1234, 2345) == 0)
    // Not every file system has them.
    let hasTags = set(file.path, "user.xdg.tags", "blue", 4, 0) == 0
    try await store.importFiles(at: [tree.url])
    try await store.apply(SnippetEdit(text: "new"), to: try #require(try row("a")?.id))

    try await store.exportMarkdown(to: tree.url)

    var status = stat()
    stat(file.path, &status)
    #expect(status.st_uid == 1234 && status.st_gid == 2345)
    #expect(get(file.path, "user.xdg.tags", nil, 0) == (hasTags ? 4 : -1))
    #expect(try text(tree.url, "a.md") == "new")
  }
  #endif

  #if !os(iOS)
  // The mask belongs to the process, so each one has its own.
  @Test(arguments: [0o022, 0o077])
  func `new files and subfolders follow the mask of the process`(mask: Int) async throws {
    let place = TemporaryDirectory.file("masked").path

    await #expect(processExitsWith: .success) { [mask, place = place as String] in
      umask(mode_t(mask))
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let store = try SnippetStore(at: URL(fileURLWithPath: "\(place)/store.sqlite"))
      let vault = URL(fileURLWithPath: "\(place)/vault", isDirectory: true)
      for name in ["old/a.md", "b.md"] {
        let file = vault.appendingPathComponent(name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        try Data(name.utf8).write(to: file)
      }
      try await store.importFiles(at: [vault])
      let out = "\(place)/out"

      try await store.exportMarkdown(to: URL(fileURLWithPath: out, isDirectory: true))

      for (path, mode) in [
        ("\(out)/old/a.md", 0o666 & ~mask), ("\(out)/b.md", 0o666 & ~mask),
        ("\(out)/old", 0o777 & ~mask), (out, 0o700),
      ] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
      }
      try await store.close()
    }
  }
  #endif

  // MARK: - Helpers

  private func row(_ title: String) throws -> SnippetRow? {
    try store.list().rows(in: 0..<99).first { $0.title == title }
  }

  private func text(_ folder: URL, _ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  /// The bytes of every file, hidden ones too.
  private func contents(of folder: URL) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let path = folder.path + "/" + name
      guard FileStatus.isRegular(path) == true else { continue }
      found[key(name)] = FileManager.default.contents(atPath: path)
    }
    return found
  }

  private func date(_ folder: URL, _ name: String) throws -> Int64 {
    try FileStamp(OpenFile(folder.path + "/" + name).status()).modifiedNanoseconds
  }

  private func stamps(of folder: URL) throws -> [String: Int64] {
    try Dictionary(
      uniqueKeysWithValues: contents(of: folder).keys.map {
        ($0, try date(folder, $0.removingPercentEncoding ?? $0))
      }
    )
  }
}

/// A name that is equal to another one only if it has the same bytes.
private func key(_ name: String) -> String {
  name.utf8.map { byte in
    byte < 0x80 && byte != UInt8(ascii: "%")
      ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
  }.joined()
}

/// A folder of everything that people keep in one.
private struct Vault {
  let tree: FileTree
  /// The bytes of each file, by the key of its name.
  let files: [String: Data]
  let names: [String]

  init(_ name: String) throws {
    tree = try FileTree(name)
    let front = "---\ntitle: Garden\ntags: [green, 2024]\ndate: 2024-05-06\n---\n"
    let files: KeyValuePairs<String, Data> = [
      "note.md": Data("# Note\n\n[[Daily/2024-01-05|day]] ![](media/p.png) #tag\n".utf8),
      "front.md": Data("\(front)text #more".utf8),
      "windows.md": Data("---\r\ntags: a, b\r\n---\r\nline\r\nline\r\n".utf8),
      "mark.md": Data("\u{FEFF}---\ntitle: Marked\n---\ntext".utf8),
      "broken.md": Data("---\ntitle: [never closed\n---\n".utf8),
      "latin.md": Data(
        "Gr\u{FC}\u{DF}e aus K\u{F6}ln, sch\u{F6}ne Gr\u{FC}\u{DF}e".unicodeScalars.map {
          UInt8($0.value)
        }
      ),
      "wide.txt": Data([0xFF, 0xFE])
        + "Grüße\n".utf16.reduce(into: Data()) {
          $0.append(contentsOf: [UInt8($1 & 0xFF), UInt8($1 >> 8)])
        },
      "empty.md": Data(), "empty too.md": Data(), "no end": Data("text without a line end".utf8),
      "Daily/2024-01-05.md": Data("template\n".utf8),
      "Daily/2024-01-06.md": Data("template\n".utf8),
      "日本語/メモ.md": Data("牛乳 #買い物\n".utf8), "e\u{301}.md": Data("decomposed".utf8),
      "\u{E9}.md": Data("composed".utf8), "a  b?#%.md": Data("odd name".utf8),
      "quote'\".md": Data("quotes".utf8), "UPPER.MD": Data("capitals".utf8),
      "upper.md": Data("small letters".utf8), "no extension": Data("plain".utf8),
      "deep/er/and/deeper/x.md": Data("deep".utf8), "media/p.png": Samples.png,
      "media/same.png": Samples.png, "media/sound.wav": Samples.wav(),
      "long.md": Data(Samples.longText().utf8),
      "caf\u{E9}/x.md": Data("composed".utf8), "cafe\u{301}/x.md": Data("decomposed".utf8),
    ]
    self.files = Dictionary(
      uniqueKeysWithValues: files.map { (SnippetExchangeTests.key($0.key), $0.value) }
    )
    names = files.map(\.key)
    for (number, file) in files.enumerated() {
      let path = tree.url.path + "/" + file.key
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true
      )
      // Not by URL, which could compose the name.
      guard FileManager.default.createFile(atPath: path, contents: file.value) else {
        throw CocoaError(.fileWriteUnknown)
      }
      let written = try OpenFile(path, .readWrite)
      written.setModificationDate(nanoseconds: 1_700_000_000_123_456_789 + Int64(number))
    }
  }
}
