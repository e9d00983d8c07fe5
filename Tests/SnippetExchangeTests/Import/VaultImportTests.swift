import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// A folder that is imported again and again.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct VaultImportTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  @Test func `a changed file changes its snippet, which keeps what people gave it`() async throws {
    try tree.add("a.md", "---\ntags: [one, two]\n---\nMilk #three")
    try tree.add("b.md", "Eggs")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(
      SnippetEdit(isPinned: true, addedTags: ["mine"], removedTags: ["two"]),
      to: id
    )
    let before = try #require(try store.row(id))
    try tree.add("a.md", "---\ntags: [one, two, four]\ntitle: Dairy\n---\nMilk and cream")

    let report = try await importVault()

    #expect(report[.updated] == 1 && report[.unchanged] == 1, "\(report)")
    #expect(report[.imported] + report[.conflict] + report[.duplicate] == 0)
    let after = try #require(try store.row(id))
    #expect(after.title == "Dairy" && after.isPinned && after.uuid == before.uuid)
    #expect(after.tags == ["four", "mine", "one"])
    #expect(after.createdAt == before.createdAt)
    #expect(try await text(id).hasSuffix("Milk and cream"))
    #expect(try await importVault()[.unchanged] == 2)
    #expect(try await store.check().isSound)
  }

  @Test func `a date that people gave stays until the one in the file changes`() async throws {
    try tree.add("a.md", "---\ncreated: 2020-01-02T03:04:05Z\n---\nMilk")
    try await importVault()
    let id = try #require(try row("a")?.id)
    let date = Date(timeIntervalSince1970: 1_500_000_000)
    try await store.apply(SnippetEdit(createdAt: date), to: id)
    try tree.add("a.md", "---\ncreated: 2020-01-02T03:04:05Z\n---\nMilk and cream")

    #expect(try await importVault()[.updated] == 1)
    #expect(try store.row(id)?.createdAt == date)

    try tree.add("a.md", "---\ncreated: 2001-09-09T01:46:40Z\n---\nMilk and cream")
    let replaced = Lock<[String?]>([])
    let report = try await store.importFiles(at: [tree.url]) { event in
      guard event.outcome == .replacedValue else { return }
      replaced.withLock { $0.append(event.error?.reason) }
    }
    #expect(report[.updated] == 1 && report[.replacedValue] == 1, "\(report)")
    let reason = "the snippet had the date of creation \(date.iso8601Milliseconds)"
    #expect(replaced.withLock { $0 } == [reason])
    #expect(try store.row(id)?.createdAt == Date(timeIntervalSince1970: 1_000_000_000))

    // Nothing is lost where one side alone has changed.
    try tree.add("a.md", "---\ncreated: 2001-09-09T01:46:41Z\n---\nMilk and cream")
    let next = try await importVault()
    #expect(next[.updated] == 1 && next[.replacedValue] == 0, "\(next)")
  }

  @Test func `a date that people gave stays when a file is edited or renamed after an export`()
    async throws
  {
    try tree.add("a.md", "---\ncreated: 2020-01-02T03:04:05Z\n---\nMilk")
    try await importVault()
    let id = try #require(try row("a")?.id)
    let date = Date(timeIntervalSince1970: 1_500_000_000)
    try await store.apply(SnippetEdit(createdAt: date, addedTags: ["one"]), to: id)
    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)

    try tree.add("a.md", try tree.text("a.md") + " and cream")
    #expect(try await importVault()[.updated] == 1)
    #expect(try store.row(id)?.createdAt == date)

    try tree.move("a.md", to: "b.md")
    #expect(try await importVault()[.moved] == 1)
    #expect(try store.row(id)?.createdAt == date)
  }

  @Test func `a date that an export has written is known to the next import`() async throws {
    let (first, second) = (
      Date(timeIntervalSince1970: 1_500_000_000), Date(timeIntervalSince1970: 1_400_000_000)
    )
    var draft = SnippetDraft(.text("Milk"), title: "Note", createdAt: first)
    // Otherwise the file itself has the date.
    draft.modifiedAt = Date(timeIntervalSince1970: 1_600_000_000)
    let id = try await store.save(draft).id
    try await store.exportMarkdown(to: tree.url)
    let written = try tree.text("Note.md")
    #expect(written.contains("created: \(first.iso8601Milliseconds)"))
    try await store.apply(SnippetEdit(createdAt: second), to: id)
    try tree.add("Note.md", written + " and cream")

    let report = try await importVault()

    #expect(report[.updated] == 1 && report[.replacedValue] == 0, "\(report)")
    #expect(try store.row(id)?.createdAt == second)
  }

  @Test func `a title that people gave stays, one that the file gave follows it`() async throws {
    try tree.add("a.md", "---\ntitle: Old\n---\n")
    try tree.add("b.md", "---\ntitle: Old too\n---\n")
    try await importVault()
    let ids = try (#require(try row("Old")?.id), #require(try row("Old too")?.id))
    try await store.apply(SnippetEdit(title: "Mine"), to: ids.1)
    try tree.add("a.md", "---\ntitle: New\n---\n")
    try tree.add("b.md", "---\ntitle: New too\n---\n")

    let untaken = Lock<[String?]>([])
    let report = try await store.importFiles(at: [tree.url]) { event in
      guard event.outcome == .unreadValue else { return }
      untaken.withLock { $0.append(event.error?.reason) }
    }

    #expect(report[.updated] == 2 && report[.unreadValue] == 1)
    #expect(untaken.withLock { $0 } == ["the snippet has another title than “New too”"])
    #expect(try store.row(ids.0)?.title == "New")
    #expect(try store.row(ids.1)?.title == "Mine")
    // It is named once.
    try tree.add("b.md", "---\ntitle: New too\n---\nMilk")
    let next = try await importVault()
    #expect(next[.updated] == 1 && next[.unreadValue] == 0)
  }

  @Test(arguments: ["short", "long", "picture", "to long", "to latin"])
  func `content of every form is replaced`(form: String) async throws {
    let long = String(Samples.longText())
    let latin = Data(
      "Gr\u{FC}\u{DF}e aus K\u{F6}ln und D\u{FC}sseldorf".unicodeScalars.map { UInt8($0.value) }
    )
    let (old, new): (Data, Data) =
      switch form {
      case "short": (Data("old".utf8), Data("new".utf8))
      case "long": (Data(long.utf8), Data((long + "new").utf8))
      case "picture": (Samples.png, Samples.png + Data([0]))
      case "to long": (Data("old".utf8), Data(long.utf8))
      default: (Data(long.utf8), latin)
      }
    try tree.add("file", old)
    try await importVault()
    let id = try #require(try row("file")?.id)
    try tree.add("file", new)

    #expect(try await importVault()[.updated] == 1)

    #expect(try await store.content(of: id) == new)
    #expect(try store.list().count == 1)
    let report = try await store.check()
    #expect(report.isSound, "\(report.problems)")
    #expect(try await store.information().blobCount == (form == "short" ? 0 : 1))
  }

  @Test func `a file that has become another kind is a new snippet, the old one is in the trash`()
    async throws
  {
    try tree.add("file", "a text")
    try await importVault()
    try tree.add("file", Samples.png)

    let report = try await importVault()

    #expect(report[.imported] == 1)
    #expect(try store.list().rows(in: 0..<9).map(\.kind) == [.image])
    #expect(try store.list(.trash).rows(in: 0..<9).map(\.kind) == [.text])
    #expect(try await importVault()[.unchanged] == 1)
  }

  @Test func `tags go to the snippets of all files, also of unchanged and equal ones, once`()
    async throws
  {
    try tree.add("a.md", "Milk")
    try tree.add("b.png", Samples.png)
    try tree.setDate("a.md")
    try tree.setDate("b.png")
    try await importVault()
    try tree.add("c.png", Samples.png)
    try tree.setDate("c.png")
    let options = ImportOptions(tags: ["trip"])

    let report = try await store.importFiles(at: [tree.url], options: options)

    #expect(report[.updated] == 2 && report[.duplicate] == 1, "\(report)")
    #expect(try store.list().rows(in: 0..<9).map(\.tags) == [["trip"], ["trip"]])
    #expect(try await store.importFiles(at: [tree.url], options: options)[.unchanged] == 3)
    let alone = try FileTree("alone").add("d.png", Samples.png)
    let other = ImportOptions(tags: ["trip", "sea"])
    #expect(try await store.importFiles(at: [alone], options: other)[.updated] == 1)
    #expect(try store.list().rows(in: 0..<9).contains { $0.tags == ["sea", "trip"] })
    #expect(try await store.check().isSound)
  }

  // MARK: - Both sides

  @Test func `where both sides were changed, both are kept`() async throws {
    try tree.add("a.md", "old")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(text: "mine", addedTags: ["mine"]), to: id)
    try tree.add("a.md", "theirs")
    let conflicts = Lock<[(SnippetID, SnippetID?)]>([])

    let report = try await store.importFiles(at: [tree.url]) { event in
      if event.outcome == .conflict, let kept = event.keptID {
        conflicts.withLock { $0.append((kept, event.snippetID)) }
      }
    }

    #expect(report[.conflict] == 1 && report[.updated] + report[.imported] == 0)
    let (kept, added) = try #require(conflicts.withLock { $0 }.first)
    #expect(kept == id)
    #expect(try await text(id) == "mine")
    #expect(try await text(try #require(added)) == "theirs")
    // It is settled: the file belongs to the new snippet.
    #expect(try await store.origins(of: id).isEmpty)
    #expect(try await importVault()[.unchanged] == 1)
    #expect(try store.list().count == 2)
  }

  @Test func `an edit in the store alone stays, and the same edit on both sides is none`()
    async throws
  {
    try tree.add("a.md", "old")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(text: "new"), to: id)

    #expect(try await importVault()[.unchanged] == 1)
    #expect(try await importVault(comparesContent: true)[.unchanged] == 1)
    #expect(try await text(id) == "new")
    try tree.add("a.md", "new")
    #expect(try await importVault()[.unchanged] == 1)
    try tree.add("a.md", "newer")
    #expect(try await importVault()[.updated] == 1)
    #expect(try await text(id) == "newer")
  }

  // MARK: - Moving

  @Test func `a renamed or moved file keeps its snippet, and a copy is another one`() async throws {
    try tree.add("old/before.md", "Milk #tag")
    try tree.add("stays.md", "Bread")
    try await importVault(makesTagsOfFolders: true)
    let id = try #require(try row("before")?.id)
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: id)
    #expect(try store.row(id)?.tags == ["mine", "old", "tag"])
    try tree.move("old/before.md", to: "new/after.md")
    try tree.add("copy.md", "Bread")

    let report = try await importVault(makesTagsOfFolders: true)

    #expect(report[.moved] == 1 && report[.imported] == 1 && report.missingCount == 0)
    let row = try #require(try store.row(id))
    #expect(row.title == "after" && row.tags == ["mine", "new", "tag"])
    #expect(try await store.origins(of: id).map(\.path) == ["new/after.md"])
    #expect(try store.list().count == 3)
  }

  @Test func `a moved file is known though its snippet was edited`() async throws {
    try tree.add("before.md", "old")
    try await importVault()
    let id = try #require(try row("before")?.id)
    try await store.apply(SnippetEdit(title: "Mine", text: "mine"), to: id)
    try tree.move("before.md", to: "after.md")

    #expect(try await importVault()[.moved] == 1)

    #expect(try store.row(id)?.title == "Mine")
    #expect(try await text(id) == "mine")
  }

  // MARK: - Missing files

  @Test func `missing files are told, and trashed when asked for; they bring their snippets back`()
    async throws
  {
    try tree.add("a.md", "Milk")
    try tree.add("b.md", "Eggs")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: id)
    try tree.remove("a.md")

    #expect(try await importVault().missingCount == 1)
    #expect(try store.list().count == 2)
    let report = try await importVault(movesMissingToTrash: true)
    #expect(report[.trashed] == 1 && report.missingCount == 0)
    #expect(try store.list().rows(in: 0..<9).map(\.title) == ["b"])
    #expect(try await importVault(movesMissingToTrash: true)[.trashed] == 0)
    try tree.add("a.md", "Milk")

    let back = try await importVault()
    #expect(back[.broughtBack] == 1 && back[.imported] == 0, "\(back)")
    #expect(try store.row(id)?.tags == ["mine"])
    #expect(try store.row(id)?.deletedAt == nil)
  }

  @Test(arguments: ["same", "changed", "moved"])
  func `a file that is there brings its snippet back, which is told apart`(
    state: String
  ) async throws {
    try tree.add("a.md", "Milk")
    try tree.add("b.md", "Eggs")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.moveToTrash([id])
    if state == "changed" { try tree.add("a.md", "Milk and cream") }
    if state == "moved" { try tree.move("a.md", to: "c.md") }

    let report = try await importVault()

    #expect(report[.broughtBack] == 1 && report[.unchanged] == 1, "\(report)")
    #expect(report[.imported] + report[.updated] + report[.moved] == 0, "\(report)")
    let row = try #require(try store.row(id))
    #expect(row.deletedAt == nil && row.title == (state == "moved" ? "c" : "a"))
    #expect(try await text(id) == (state == "changed" ? "Milk and cream" : "Milk"))
  }

  @Test func `a snippet that was edited does not follow its file to the trash`() async throws {
    try tree.add("a.md", "Milk")
    try tree.add("b.md", "Eggs")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(text: "mine"), to: id)
    try tree.remove("a.md")

    let report = try await importVault(movesMissingToTrash: true)

    #expect(report[.conflict] == 1 && report[.trashed] == 0)
    #expect(try store.row(id)?.deletedAt == nil)
    #expect(try await importVault(movesMissingToTrash: true)[.conflict] == 0)
  }

  @Test func `nothing is trashed for a folder that is gone or empty, as where no disk is`()
    async throws
  {
    try tree.add("a.md", "Milk")
    try await importVault()
    try tree.remove("a.md")

    let empty = try await importVault(movesMissingToTrash: true)
    try FileManager.default.removeItem(at: tree.url)
    let gone = try await importVault(movesMissingToTrash: true)

    #expect(empty[.trashed] == 0 && empty[.failed] == 1, "\(empty)")
    #expect(gone[.trashed] == 0 && gone[.failed] == 1, "\(gone)")
    #expect(try store.list().count == 1)
  }

  // MARK: - Origins

  @Test func `equal notes are two snippets with a file each, equal pictures one with two`()
    async throws
  {
    try tree.add("a.md", "same")
    try tree.add("b.md", "same")
    try tree.add("c.png", Samples.png)
    try tree.add("d/e.png", Samples.png)

    let report = try await importVault()

    #expect(report[.imported] == 3 && report[.duplicate] == 1)
    let picture = try #require(try store.list().rows(in: 0..<9).first { $0.kind == .image })
    let origins = try await store.origins(of: picture.id)
    #expect(origins.map(\.path) == ["c.png", "d/e.png"])
    #expect(Set(origins.map(\.sha256)) == [ContentHash.of(Samples.png)])
    #expect(Set(origins.map(\.folder.lastPathComponent)) == ["vault"])
    try tree.add("b.md", "another")
    try tree.add("c.png", Samples.png + Data([0]))
    let again = try await importVault()
    // The picture that lies there still keeps the snippet.
    #expect(again[.updated] == 1 && again[.imported] == 1, "\(again)")
    #expect(try await store.origins(of: picture.id).map(\.path) == ["d/e.png"])
    #expect(Set(try store.list().rows(in: 0..<9).map(\.title)) == ["a", "b", "c"])
  }

  @Test func `a folder in a folder has its files once, whichever is given first`() async throws {
    for (name, text) in [("x/a.md", "a"), ("x/y/b.md", "b"), ("c.md", "c")] {
      try tree.add(name, text)
    }
    let inner = tree.url.appendingPathComponent("x")
    let innermost = tree.url.appendingPathComponent("x/y")

    let reports = [
      try await store.importFiles(at: [innermost]), try await store.importFiles(at: [inner]),
      try await store.importFiles(at: [tree.url]), try await store.importFiles(at: [inner]),
      try await store.importFiles(at: [innermost.appendingPathComponent("b.md")]),
    ]

    #expect(reports.map(\.[.imported]) == [1, 1, 1, 0, 0])
    #expect(reports.map(\.[.unchanged]) == [0, 1, 2, 2, 1])
    var paths: [String] = []
    for row in try store.list().rows(in: 0..<9) {
      paths += try await store.origins(of: row.id).map(\.path)
    }
    #expect(paths.sorted() == ["c.md", "x/a.md", "x/y/b.md"])
    // A file given by itself is known by its folder.
    try tree.add("x/y/b.md", "changed")
    let file = try await store.importFiles(at: [innermost.appendingPathComponent("b.md")])
    #expect(file[.updated] == 1)
  }

  @Test func `a file given with repeated slashes is the one that it was in its folder`()
    async throws
  {
    try tree.add("a.md", "Milk")
    try tree.add("vault/a.md", "Eggs")
    try await importVault()
    try tree.add("a.md", "Milk and cream")
    let file = tree.url.path + "///a.md"
    let report = try await store.importFiles(at: [URL(fileURLWithPath: file, isDirectory: false)])

    #expect(report[.updated] == 1, "\(report)")

    var texts: [String: String] = [:]
    for row in try store.list().rows(in: 0..<9) {
      let path = try #require(try await store.origins(of: row.id).first?.path)
      texts[path] = try await text(row.id)
    }
    #expect(texts == ["a.md": "Milk and cream", "vault/a.md": "Eggs"])
  }

  @Test func `a file with the same size and date is read only when asked for`() async throws {
    try tree.add("a.md", "Milk")
    try tree.setDate("a.md")
    try await importVault()
    try tree.add("a.md", "Eggs")
    try tree.setDate("a.md")

    #expect(try await importVault()[.unchanged] == 1)
    #expect(try await importVault(comparesContent: true)[.updated] == 1)
  }

  @Test func `an empty note is a text, and links and pictures in a note stay as they are`()
    async throws
  {
    let text = "[[Other note|alias]] [x](../a%20b.md#c) ![](media/p.png) ![[p.png]]\r\n"
    try tree.add("empty.md", "")
    try tree.add("links.md", text)

    #expect(try await importVault()[.imported] == 2)

    #expect(try await self.text(try #require(try row("links")?.id)) == text)
    #expect(try await self.text(try #require(try row("empty")?.id)).isEmpty)
  }

  @Test func `dates of front matter are those of the snippet`() async throws {
    try tree.add("a.md", "---\ncreated: 2020-01-02\nupdated: 2021-02-03\npinned: true\n---\n")

    try await importVault()

    let row = try #require(try row("a"))
    #expect(row.createdAt == WrittenDate(2020, 1, 2)?.date())
    #expect(row.modifiedAt == WrittenDate(2021, 2, 3)?.date())
    #expect(row.isPinned)
  }

  @Test func `front matter that cannot be read is told when its file is imported or updated`()
    async throws
  {
    try tree.add("a.md", "---\ntags: [x]\ntitle: Meeting: with Anna\n---\nMilk")
    try tree.add("b.md", "Eggs")
    let told = Lock<[SnippetStoreError]>([])
    let onEvent: @Sendable (ImportEvent) -> Void = { event in
      guard event.outcome == .unreadFrontMatter, let error = event.error else { return }
      told.withLock { $0.append(error) }
    }

    let first = try await store.importFiles(at: [tree.url], onEvent: onEvent)
    try tree.add("b.md", "---\ntitle: [\n---\nEggs")
    let second = try await store.importFiles(at: [tree.url], onEvent: onEvent)

    #expect(first[.imported] == 2 && first[.unreadFrontMatter] == 1, "\(first)")
    #expect(second[.updated] == 1 && second[.unreadFrontMatter] == 1, "\(second)")
    let errors = told.withLock { $0 }
    #expect(errors.map(\.code) == [.unreadable, .unreadable])
    #expect(errors.map { $0.description.contains("colon") } == [true, false])
    #expect(
      errors.first?.description.contains(
        "\(tree.path("a.md")): line 3: mapping values are not allowed in this context"
      ) == true
    )
    #expect(try await importVault()[.unreadFrontMatter] == 0)
  }
}
