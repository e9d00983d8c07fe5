import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// A folder whose files have other names and places when it is imported again.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct MovedFilesTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  @Test func `many equal files of a moved folder keep their snippets, each its own`() async throws {
    let count = 1_100
    for number in 0..<count { try tree.add("old/\(number).md", "") }
    try await importVault()
    let before = try store.list().rows(in: 0..<count).map(\.id)
    try tree.move("old", to: "new")

    let report = try await importVault()

    #expect(report[.moved] == count && report[.imported] == 0, "\(report)")
    #expect(Set(try store.list().rows(in: 0..<2 * count).map(\.id)) == Set(before))
    #expect(try await importVault()[.unchanged] == count)
  }

  @Test(arguments: [false, true])
  func `the date follows that in the name of a file, unless a person has given another`(
    isGiven: Bool
  ) async throws {
    try tree.add("2024-03-01.md", "Rain")
    try await importVault()
    let before = try #require(try row("2024-03-01"))
    let given = Date(timeIntervalSince1970: 1_600_000_000)
    if isGiven { try await store.apply(SnippetEdit(createdAt: given), to: before.id) }
    try tree.move("2024-03-01.md", to: "2024-03-03.md")

    #expect(try await importVault()[.moved] == 1)

    let after = try #require(try row("2024-03-03"))
    #expect(after.id == before.id)
    let twoDays: TimeInterval = 2 * 86_400
    #expect(after.createdAt == (isGiven ? given : before.createdAt.addingTimeInterval(twoDays)))
    // A name without a date takes none away.
    try tree.move("2024-03-03.md", to: "Rain.md")
    #expect(try await importVault()[.moved] == 1)
    #expect(try row("Rain")?.createdAt == after.createdAt)
  }

  @Test(arguments: [0, 3])
  func `equal texts of a folder that was moved as a whole stay as many`(more: Int) async throws {
    let count = 700
    for number in 0..<count { try tree.add("\(number).md", "") }
    try await importVault()
    let other = try FileTree("other")
    try FileManager.default.removeItem(at: other.url)
    try FileManager.default.moveItem(at: tree.url, to: other.url)
    // As a mount point does, the former folder stays, so this one is not known.
    try FileManager.default.createDirectory(at: tree.url, withIntermediateDirectories: false)
    for number in count..<count + more { try other.add("\(number).md", "") }

    let report = try await store.importFiles(at: [other.url])

    #expect(report[.duplicate] == count && report[.imported] == more, "\(report)")
    #expect(try store.list().count == count + more)
    #expect(try await store.importFiles(at: [other.url])[.unchanged] == count + more)
  }

  @Test(arguments: [1, 700])
  func
    `notes into which an export wrote front matter keep their snippets in a folder that was moved`(
      count: Int
    ) async throws
  {
    for number in 0..<count { try tree.add("\(number).md", "Milk") }
    try await importVault()
    let ids = try store.list().rows(in: 0..<count).map(\.id)
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: ids)
    try await store.exportMarkdown(to: tree.url)
    try #require(try tree.text("0.md").hasPrefix("---"))
    let other = try FileTree("other")
    try FileManager.default.removeItem(at: other.url)
    try FileManager.default.moveItem(at: tree.url, to: other.url)
    // As a mount point does, the former folder stays, so this one is not known.
    try FileManager.default.createDirectory(at: tree.url, withIntermediateDirectories: false)
    try await store.apply(SnippetEdit(text: "Eggs"), to: ids[0])

    let report = try await store.importFiles(at: [other.url])

    #expect(report[.duplicate] == count && report[.imported] == 0, "\(report)")
    #expect(try Set(store.list().rows(in: 0..<2 * count).map(\.id)) == Set(ids))
    #expect(try await store.importFiles(at: [other.url])[.unchanged] == count)
    // What was changed in the store goes to the file, and the other way round.
    #expect(try await store.exportMarkdown(to: other.url)[.updated] == 1)
    try other.add("0.md", other.text("0.md") + "\n#new")
    #expect(try await store.importFiles(at: [other.url])[.updated] == 1)
    let rows = try store.list().rows(in: 0..<count)
    #expect(rows.count { $0.tags == ["mine", "new"] } == 1 && rows.count == count)
    // A copy is another note.
    try other.add("copy.md", other.text("0.md"))
    #expect(try await store.importFiles(at: [other.url])[.imported] == 1)
  }

  @Test(arguments: [true, false])
  func `equal pictures that are gone let go of a snippet that has another file, or take it along`(
    staysOne: Bool
  ) async throws {
    for number in 0..<300 { try tree.add("\(number).png", Samples.png) }
    try tree.add("note.md", "")
    try await importVault()
    let id = try #require(try store.list().rows(in: 0..<9).first { $0.kind == .image }?.id)
    for number in 0..<300 where !staysOne || number != 99 { try tree.remove("\(number).png") }

    let report = try await importVault(movesMissingToTrash: true)

    #expect(report[.trashed] == (staysOne ? 0 : 1) && report[.conflict] == 0, "\(report)")
    #expect(try (store.row(id)?.deletedAt == nil) == staysOne)
    if staysOne {
      #expect(try await store.origins(of: id).map(\.path) == ["99.png"])
    }
  }

  @Test(arguments: [true, false])
  func `a file that was moved into another imported folder takes its snippet along`(
    isFirst: Bool
  ) async throws {
    let other = try FileTree("other")
    try tree.add("moved.md", "moving note")
    try tree.add("photo.png", Samples.png)
    for folder in [tree, other] { try folder.add("stays.md", "in \(folder.url.path)") }
    let folders = isFirst ? [tree.url, other.url] : [other.url, tree.url]
    try await store.importFiles(at: folders)
    for name in ["moved.md", "photo.png"] {
      try FileManager.default.moveItem(
        atPath: tree.path(name),
        toPath: other.path(name)
      )
    }

    let report = try await store.importFiles(at: folders, options: .init(movesMissingToTrash: true))

    #expect(report[.trashed] == 0 && report[.imported] == 0, "\(report)")
    #expect(try store.list().count == 4 && store.list(.trash).count == 0)
    let trashing = MarkdownExportOptions(trashedFiles: .move(to: TemporaryDirectory.file("bin")))
    #expect(try await store.exportMarkdown(to: other.url, options: trashing)[.trashed] == 0)
    // Once it is gone there too, it goes.
    try other.remove("moved.md")
    let last = try await store.importFiles(at: folders, options: .init(movesMissingToTrash: true))
    #expect(last[.trashed] == 1, "\(last)")
  }

  @Test(arguments: [true, false])
  func `a file that was renamed stays with its snippet, beside an equal one in the trash`(
    trashesMissing: Bool
  ) async throws {
    for name in ["27.txt", "28.txt"] { try tree.add(name, "Tasks") }
    try tree.add("other.md", "other")
    try await importVault()
    let rows = try store.list().rows(in: 0..<3)
    let trashed = try #require(rows.first { $0.title == "27" }?.id)
    let living = try #require(rows.first { $0.title == "28" }?.id)
    try await store.apply(SnippetEdit(title: "Big day", addedTags: ["kept"]), to: living)
    try await store.moveToTrash([trashed])
    try tree.remove("27.txt")
    try tree.move("28.txt", to: "28 sat.txt")

    let report = try await importVault(movesMissingToTrash: trashesMissing)

    #expect(report[.moved] == 1 && report[.broughtBack] == 0 && report[.trashed] == 0, "\(report)")
    #expect(try store.row(trashed)?.deletedAt != nil)
    let row = try #require(try store.row(living))
    #expect(row.deletedAt == nil && row.title == "Big day" && row.tags == ["kept"])
    #expect(try await store.origins(of: living).map(\.path) == ["28 sat.txt"])
  }

  // MARK: - A name that is used again

  @Test(arguments: ["Soup.md", "Zoup.md"])
  func `a file that was renamed keeps its snippet when another one gets its name`(
    name: String
  ) async throws {
    try tree.add("Untitled.md", "Soup")
    try await importVault()
    let id = try #require(try row("Untitled")?.id)
    try await store.apply(SnippetEdit(isPinned: true, addedTags: ["mine"]), to: id)
    try tree.move("Untitled.md", to: name)
    try tree.add("Untitled.md", "Another note")

    let report = try await importVault()

    #expect(report[.moved] == 1 && report[.imported] == 1, "\(report)")
    let row = try #require(try store.row(id))
    #expect(row.title == String(name.dropLast(3)) && row.isPinned && row.tags == ["mine"])
    #expect(try await text(id) == "Soup")
    let other = try #require(try self.row("Untitled"))
    #expect(other.id != id && other.tags.isEmpty && !other.isPinned)
    #expect(try await text(other.id) == "Another note")
    #expect(try await importVault()[.unchanged] == 2)
  }

  @Test func `a copy of a file that has another date by now is a new snippet`() async throws {
    try tree.add("a.md", "Milk")
    try tree.setDate("a.md")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try tree.add("a.md", "Milk")
    try tree.add("A copy.md", "Milk")
    try tree.setDate("A copy.md")

    let report = try await importVault()

    #expect(report[.unchanged] == 1 && report[.imported] == 1, "\(report)")
    #expect(try await store.origins(of: id).map(\.path) == ["a.md"])
  }

  @Test func `a file that was copied, then edited, keeps its snippet`() async throws {
    try tree.add("a.md", "Milk")
    try tree.setDate("a.md")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try tree.add("A copy.md", "Milk")
    try tree.add("a.md", "Milk and cream")

    let report = try await importVault()

    #expect(report[.updated] == 1 && report[.imported] == 1, "\(report)")
    #expect(try await text(id) == "Milk and cream")
  }

  @Test func `a file that was edited keeps its snippet`() async throws {
    try tree.add("a.md", "Milk")
    try tree.add("b.md", "Eggs")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try tree.add("a.md", "Milk and cream")
    try tree.add("c.md", "Bread")

    let report = try await importVault()

    #expect(report[.updated] == 1 && report[.imported] == 1 && report[.unchanged] == 1)
    #expect(try await text(id) == "Milk and cream")
  }

  // MARK: - Tags of folders

  @Test func `a tag of a folder that was taken off stays off when the file is edited`() async throws
  {
    try tree.add("old/a.md", "Milk #dairy")
    try await importVault(makesTagsOfFolders: true)
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(removedTags: ["old"]), to: id)
    try tree.add("old/a.md", "Milk and cream #dairy #white")

    #expect(try await importVault(makesTagsOfFolders: true)[.updated] == 1)

    #expect(try store.row(id)?.tags == ["dairy", "white"])
  }

  @Test func `folders become tags of files that are known already, once`() async throws {
    try tree.add("old/a.md", "Milk")
    try tree.add("old/deep/b.md", "Eggs")
    try tree.add("c.md", "Bread")
    try await importVault()
    let ids = try ["a", "b"].map { try #require(try row($0)?.id) }

    let first = try await importVault(makesTagsOfFolders: true)

    #expect(first[.updated] == 2 && first[.unchanged] == 1, "\(first)")
    #expect(try ids.map { try store.row($0)?.tags } == [["old"], ["deep", "old"]])
    try await store.apply(SnippetEdit(removedTags: ["old"]), to: ids[1])
    #expect(try await importVault(makesTagsOfFolders: true)[.unchanged] == 3)
    #expect(try await importVault()[.unchanged] == 3)
    try tree.add("old/deep/b.md", "Eggs and more")
    #expect(try await importVault()[.updated] == 1)
    #expect(try await importVault(makesTagsOfFolders: true)[.unchanged] == 3)
    #expect(try store.row(ids[1])?.tags == ["deep"])
    #expect(try await store.check().isSound)
  }

  @Test func `a folder above those that became tags becomes one too, and those do not again`()
    async throws
  {
    try tree.add("work/plans/a.md", "Milk")
    try await store.importFiles(
      at: [tree.url.appendingPathComponent("work")],
      options: .init(makesTagsOfFolders: true)
    )
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(addedTags: ["mine"], removedTags: ["plans"]), to: id)

    #expect(try await importVault(makesTagsOfFolders: true)[.updated] == 1)

    #expect(try store.row(id)?.tags == ["mine", "work"])
  }

  @Test func `an export does not make a folder a tag again that was taken off`() async throws {
    try tree.add("old/a.md", "Milk")
    try await importVault(makesTagsOfFolders: true)
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(addedTags: ["mine"], removedTags: ["old"]), to: id)
    let copy = TemporaryDirectory.file("copy")
    for folder in [tree.url, copy] { try await store.exportMarkdown(to: folder) }

    for folder in [tree.url, copy] {
      let options = ImportOptions(makesTagsOfFolders: true)
      let report = try await store.importFiles(at: [folder], options: options)
      #expect(report[.unchanged] == 1, "\(report)")
    }

    #expect(try store.row(id)?.tags == ["mine"])
  }

  @Test func `a tag that people gave stays when its file leaves the folder of that name`()
    async throws
  {
    try tree.add("old/a.md", "Milk")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(addedTags: ["old"]), to: id)
    try tree.add("new/b.md", "Eggs")
    try tree.move("old/a.md", to: "new/a.md")

    #expect(try await importVault(makesTagsOfFolders: true)[.moved] == 1)

    #expect(try store.row(id)?.tags == ["new", "old"])
  }

  @Test func `a tag of a folder that was taken off stays off behind a move in between`()
    async throws
  {
    try tree.add("deep/work/a.md", "Milk")
    try await importVault(makesTagsOfFolders: true)
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(removedTags: ["work"]), to: id)

    for path in ["deep/work/b.md", "other/work/c.md"] {
      let former = try #require(try await store.origins(of: id).first?.path)
      try tree.move(former, to: path)
      #expect(try await importVault()[.moved] == 1)
    }
    #expect(try store.row(id)?.tags == ["deep"])

    try await importVault(makesTagsOfFolders: true)

    #expect(try store.row(id)?.tags == ["deep", "other"])
  }

  @Test func `a file of a text or picture that is there already tags it too`() async throws {
    try tree.add("one/p.png", Samples.png)
    try tree.add("two/p.png", Samples.png)

    #expect(try await importVault(makesTagsOfFolders: true)[.duplicate] == 1)

    #expect(try row("p")?.tags == ["one", "two"])
    #expect(try await importVault(makesTagsOfFolders: true)[.unchanged] == 2)
  }

  // MARK: - Two files of a text

  @Test func `a text with two files in a folder follows either`() async throws {
    try tree.add("n/a.md", "Milk")
    try await store.importFiles(at: [tree.url.appendingPathComponent("n")])
    let id = try #require(try row("a")?.id)
    try await store.exportMarkdown(to: tree.url.appendingPathComponent("copies"))
    try await importVault()
    #expect(try await store.origins(of: id).map(\.path) == ["copies/a.md", "n/a.md"])
    try tree.add("n/a.md", "Milk and cream")

    #expect(try await importVault()[.updated] == 1)

    #expect(try await text(id) == "Milk and cream")
    #expect(try store.list().count == 1)
    #expect(try await importVault()[.unchanged] == 2)
    // Now that it differs, an edit of the other one is no edit of this text.
    try tree.add("copies/a.md", "Milk, two pints")
    #expect(try await importVault()[.conflict] == 1)
    #expect(try await text(id) == "Milk and cream")
    #expect(try store.list().count == 2)
  }

  // MARK: - A folder

  /// Moves the folder as a whole, and returns its new place.
  private func moveVault(leavingLink leavesLink: Bool = false) throws -> URL {
    let other = TemporaryDirectory.file("other")
    try FileManager.default.moveItem(at: tree.url, to: other)
    if leavesLink {
      try FileManager.default.createSymbolicLink(at: tree.url, withDestinationURL: other)
    }
    return other
  }

  @Test(arguments: [true, false])
  func `a folder that was moved as a whole takes its snippets along`(
    leavesLink: Bool
  ) async throws {
    for name in ["a", "b", "c", "sub/d"] { try tree.add("\(name).md", "text of \(name)") }
    try await importVault()
    try await store.apply(SnippetEdit(text: "edited here"), to: try #require(try row("b")?.id))
    let former = SnippetBase.FileSystem.realPath(of: tree.url.path)
    let other = try moveVault(leavingLink: leavesLink)
    try Data("edited there".utf8).write(to: other.appendingPathComponent("a.md"))

    let (report, events) = try await store.importAll([other])

    #expect(report[.movedFolder] == 1 && report[.updated] == 1, "\(report)")
    #expect(report[.unchanged] == 3 && report[.imported] == 0, "\(report)")
    let event = try #require(events.first { $0.outcome == .movedFolder })
    #expect(event.formerFile?.path == former && event.fileCount == 3)
    #expect(try store.list().count == 4)
    #expect(try await store.exportMarkdown(to: other)[.updated] == 1)
    let written = try String(contentsOf: other.appendingPathComponent("b.md"), encoding: .utf8)
    #expect(written == "edited here")
    let again = try await store.importFiles(at: [other])
    #expect(again[.movedFolder] == 0 && again[.unchanged] == 4, "\(again)")
  }

  @Test func `a folder is another one if the former is there, or half of its files differ`()
    async throws
  {
    for name in ["a", "b", "c", "d"] { try tree.add("\(name).md", "text of \(name)") }
    try await importVault()
    let copy = TemporaryDirectory.file("copy")
    try FileManager.default.copyItem(at: tree.url, to: copy)
    let copied = try await store.importFiles(at: [copy])
    let other = try moveVault()
    for name in ["a.md", "b.md"] {
      try Data("edited there".utf8).write(to: other.appendingPathComponent(name))
    }

    let moved = try await store.importFiles(at: [other])

    #expect(copied[.movedFolder] == 0 && copied[.duplicate] == 4, "\(copied)")
    #expect(moved[.movedFolder] == 0 && moved[.imported] == 2, "\(moved)")
  }

  @Test func `an export to a folder that was moved as a whole waits for an import`() async throws {
    for name in ["a", "b"] { try tree.add("\(name).md", "text of \(name)") }
    try await importVault()
    try await store.save(SnippetDraft(.text("new"), title: "new"))
    let former = SnippetBase.FileSystem.realPath(of: tree.url.path)
    let other = try moveVault()

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.exportMarkdown(to: other)
    }

    #expect(error?.reason == "it is the folder \(former), which was moved")
    #expect(try FileTree.files(in: other) == ["a.md", "b.md"])
    try await store.importFiles(at: [other])
    let report = try await store.exportMarkdown(to: other)
    #expect(report[.unchanged] == 2 && report[.exported] == 0, "\(report)")
  }

  @Test func `a folder that was moved as a whole is the same once the store is told`() async throws
  {
    try tree.add("a.md", "Milk")
    try tree.add("b/c.md", "Eggs")
    try await importVault()
    let other = try FileTree("other")
    for name in ["a.md", "b"] {
      try FileManager.default.moveItem(atPath: tree.path(name), toPath: other.path(name))
    }
    let (old, new) = (tree.url.path, other.url.path)
    try store.seam.write(to: "test") { db in
      try db.execute(
        sql: "UPDATE origin_folder SET path = ? WHERE path = ?",
        arguments: [
          SnippetBase.FileSystem.realPath(of: new), SnippetBase.FileSystem.realPath(of: old),
        ]
      )
    }
    try other.add("a.md", "Milk and cream")

    let report = try await store.importFiles(at: [other.url])

    #expect(report[.updated] == 1 && report[.unchanged] == 1, "\(report)")
    #expect(try store.list().count == 2)
  }
}
