import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Files of snippets in the trash, which an export takes out of a vault when asked to.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct TrashedFilesTests {
  let store: SnippetStore
  let tree: FileTree
  let bin = TemporaryDirectory.file("bin")

  init() async throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
    for name in ["a.md", "sub/b.md", "c.md", "d.md"] { try tree.add(name, "text of \(name)") }
    try await store.importFiles(at: [tree.url])
    let rows = try store.list().rows(in: 0..<9).filter { $0.title != "d" }
    try await store.moveToTrash(rows.map(\.id))
  }

  private var options: MarkdownExportOptions { .init(trashedFiles: .move(to: bin)) }

  @Test func `files of the trash stay unless they are to go`() async throws {
    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.trashed] == 0 && report[.unchanged] == 1)
    #expect(try tree.text("a.md") == "text of a.md")
  }

  @Test func `they go to a folder that is named, and one that was edited stays`() async throws {
    try tree.add("c.md", "edited there")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    try Data("older".utf8).write(to: bin.appendingPathComponent("a.md"))

    var dry = options
    dry.isDryRun = true
    let expected = try await store.exportMarkdown(to: tree.url, options: dry)
    #expect(try tree.text("a.md") == "text of a.md")
    let report = try await store.exportMarkdown(to: tree.url, options: options)

    #expect(report[.trashed] == 2 && report[.conflict] == 1 && report[.unchanged] == 1)
    #expect(report == expected)
    #expect(try FileTree.files(in: bin) == ["a 2.md", "a.md", "sub/b.md"])
    #expect(try FileTree.files(in: tree.url) == ["c.md", "d.md"])
    let again = try await store.exportMarkdown(to: tree.url, options: options)
    #expect(again[.trashed] == 0 && again[.conflict] == 1)
    // The one that was edited comes back with the edit; the others do not.
    let back = try await store.importFiles(at: [tree.url])
    #expect(back[.broughtBack] == 1 && back[.imported] == 0, "\(back)")
    #expect(try store.list(.trash).count == 2)
  }

  @Test(arguments: ["vault", "vault/bin", "vault/sub/new/bin", "link/bin"])
  func `a place in the vault, where an import would find them again, is refused`(
    name: String
  ) async throws {
    let link = TemporaryDirectory.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: tree.url)
    let place = TemporaryDirectory.file(name)
    let options = MarkdownExportOptions(trashedFiles: .move(to: place))

    #expect(
      await errorCode { try await store.exportMarkdown(to: tree.url, options: options) }
        == .invalidInput
    )

    #expect(try FileTree.files(in: tree.url) == ["a.md", "c.md", "d.md", "sub/b.md"])
  }

  @Test func `a hidden place in the vault takes them, and no import finds them`() async throws {
    let options = MarkdownExportOptions(
      trashedFiles: .move(to: tree.url.appendingPathComponent(".trash/old"))
    )

    #expect(try await store.exportMarkdown(to: tree.url, options: options)[.trashed] == 3)

    let report = try await store.importFiles(at: [tree.url])
    #expect(report[.broughtBack] == 0 && report[.imported] == 0, "\(report)")
    #expect(try store.list(.trash).count == 3)
  }

  @Test(arguments: ["store.sqlite-journal", "store.sqlite-journal/e.md"])
  func `nothing that goes beside a store becomes its journal`(name: String) async throws {
    try tree.add(name, "no journal")
    try await store.importFiles(at: [tree.url])
    let rows = try store.list().rows(in: 0..<9).filter { $0.title != "d" }
    try await store.moveToTrash(rows.map(\.id))
    let beside = MarkdownExportOptions(trashedFiles: .move(to: bin.deletingLastPathComponent()))

    let report = try await store.exportMarkdown(to: tree.url, options: beside)

    #expect(!FileStatus.exists(TemporaryDirectory.file("store.sqlite-journal").path))
    if name.contains("/") {
      #expect(report[.trashed] == 3 && report[.failed] == 1, "\(report)")
      #expect(try tree.text(name) == "no journal")
    } else {
      #expect(report[.trashed] == 4 && report[.failed] == 0, "\(report)")
      let moved = TemporaryDirectory.file("store 2.sqlite-journal")
      #expect(try String(contentsOf: moved, encoding: .utf8) == "no journal")
    }
  }

  @Test(arguments: ["store.sqlite-journal", "store.sqlite-journal/old"])
  func `a place where a store would look for its journal is refused`(name: String) async throws {
    let options = MarkdownExportOptions(trashedFiles: .move(to: TemporaryDirectory.file(name)))

    #expect(
      await errorCode { try await store.exportMarkdown(to: tree.url, options: options) }
        == .invalidInput
    )

    #expect(!FileStatus.exists(TemporaryDirectory.file("store.sqlite-journal").path))
    #expect(try FileTree.files(in: tree.url) == ["a.md", "c.md", "d.md", "sub/b.md"])
  }

  @Test func `a snippet that comes back from the trash gets its file again`() async throws {
    try await store.exportMarkdown(to: tree.url, options: options)
    try await store.undelete(try store.list(.trash).rows(in: 0..<9).map(\.id))

    #expect(try await store.exportMarkdown(to: tree.url)[.exported] == 3)
    #expect(try FileTree.files(in: tree.url) == ["a.md", "c.md", "d.md", "sub/b.md"])
  }

  @Test func `a free name is found in few steps among very many`() {
    let taken = Set((1..<5_000).map { NumberedName.name("a.md", $0) })
    var stepCount = 0
    let name = NumberedName.free("a.md") { name in
      stepCount += 1
      return taken.contains(name)
    }

    #expect(name == "a 5000.md" && stepCount < 50, "\(stepCount)")
  }

  @Test func `the trash of the desktop has the files and where they were`() throws {
    let trash = DesktopTrash(dataFolder: TemporaryDirectory.file("data").path)
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try tree.add("odd name%.md", "odd")

    let first = try trash.move(tree.path("a.md"), at: date)
    try tree.add("a.md", "another")
    let second = try trash.move(tree.path("a.md"), at: date)
    _ = try trash.move(tree.path("odd name%.md"), at: date)

    let folder = TemporaryDirectory.file("data/Trash")
    #expect(first == folder.path + "/files/a.md" && second == folder.path + "/files/a 2.md")
    #expect(
      try FileTree.files(in: folder) == [
        "files/a 2.md", "files/a.md", "files/odd name%.md", "info/a 2.md.trashinfo",
        "info/a.md.trashinfo", "info/odd name%.md.trashinfo",
      ]
    )
    let note = try String(
      contentsOf: folder.appendingPathComponent("info/odd name%.md.trashinfo"),
      encoding: .utf8
    )
    #expect(
      note.hasPrefix("[Trash Info]\nPath=\(tree.url.path)/odd%20name%25.md\nDeletionDate=2023-11-1")
    )
    #expect(!FileStatus.exists(tree.path("a.md")))
  }

  @Test func `files of snippets deleted for good go as well, once, and an edited one stays`()
    async throws
  {
    try await store.delete(try store.list(.trash).rows(in: 0..<9).map(\.id))
    try tree.add("c.md", "edited there")

    #expect(try await store.exportMarkdown(to: tree.url)[.trashed] == 0)
    let filtered = SnippetFilter(kinds: [.text])
    let some = try await store.exportMarkdown(to: tree.url, only: filtered, options: options)
    #expect(some[.trashed] == 0)
    var dry = options
    dry.isDryRun = true
    let expected = try await store.exportMarkdown(to: tree.url, options: dry)
    let report = try await store.exportMarkdown(to: tree.url, options: options)

    #expect(report == expected)
    #expect(report[.trashed] == 2 && report[.conflict] == 1 && report[.unchanged] == 1)
    #expect(try FileTree.files(in: bin) == ["a.md", "sub/b.md"])
    #expect(try FileTree.files(in: tree.url) == ["c.md", "d.md"])
    // Another file of the same bytes is not theirs.
    try tree.add("a.md", "text of a.md")
    let again = try await store.exportMarkdown(to: tree.url, options: options)
    #expect(again[.trashed] == 0 && again[.conflict] == 1)
    // An import makes the edited one a snippet.
    #expect(try await store.importFiles(at: [tree.url])[.imported] == 2)
    #expect(try await store.exportMarkdown(to: tree.url, options: options)[.conflict] == 0)
    #expect(try FileTree.files(in: tree.url) == ["a.md", "c.md", "d.md"])
  }

  @Test func `of a part of the folder only its own go`() async throws {
    try await store.delete(try store.list(.trash).rows(in: 0..<9).map(\.id))
    let part = tree.url.appendingPathComponent("sub")

    #expect(try await store.exportMarkdown(to: part, options: options)[.trashed] == 1)
    // It is a folder of its own now, which gets everything.
    #expect(try FileTree.files(in: tree.url) == ["a.md", "c.md", "d.md", "sub/d.md"])
    #expect(try await store.exportMarkdown(to: tree.url, options: options)[.trashed] == 2)
  }

  @Test func `a purge forgets the files of deleted snippets, and they stay`() async throws {
    try await store.delete(try store.list(.trash).rows(in: 0..<1).map(\.id))
    try await store.purge()

    #expect(try await store.exportMarkdown(to: tree.url, options: options)[.trashed] == 0)
    #expect(try FileTree.files(in: tree.url) == ["a.md", "c.md", "d.md", "sub/b.md"])
    let file = TemporaryDirectory.file("store.sqlite")
    #expect(try await Shell.sqlite3(file, "SELECT * FROM deleted_file").standardOutput == "")
  }

  @Test func `a file that was imported again is not one of a deleted snippet`() async throws {
    try await store.delete(try store.list(.trash).rows(in: 0..<9).map(\.id))
    #expect(try await store.importFiles(at: [tree.url])[.imported] == 3)

    #expect(try await store.exportMarkdown(to: tree.url, options: options)[.trashed] == 0)
    #expect(try FileTree.files(in: tree.url) == ["a.md", "c.md", "d.md", "sub/b.md"])
  }

  @Test func `a trash that cannot be used leaves the file, and says why`() async throws {
    // A file is where a folder in the trash would be.
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    try Data().write(to: bin.appendingPathComponent("sub"))

    let report = try await store.exportMarkdown(to: tree.url, options: options)

    #expect(report[.failed] == 1 && report[.trashed] == 2, "\(report)")
    #expect(try FileTree.files(in: tree.url) == ["d.md", "sub/b.md"])
  }

  @Test(arguments: ["", "/below/it"])
  func `a trash that is not a folder is refused once, before anything is done`(
    below: String
  ) async throws {
    try Data().write(to: bin)
    let place = URL(fileURLWithPath: bin.path + below)
    let options = MarkdownExportOptions(trashedFiles: .move(to: place))

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.exportMarkdown(to: tree.url, options: options)
    }

    #expect(error?.code == .cannotCreate)
    #expect(error?.reason.contains("\(bin.path) is not a folder") == true)
    #expect(try FileTree.files(in: tree.url).count == 4)
  }

  @Test func `a file that cannot go back to its place is told with its new one`() throws {
    try tree.add("moved.md", "edited there")
    let (old, new) = (tree.path("a.md"), tree.path("moved.md"))
    let disposal = FileDisposal(place: .move(to: bin))

    let error = #expect(throws: SnippetStoreError.self) { try disposal.moveBack(new, to: old) }

    #expect(error?.code == .cannotCreate)
    #expect(
      error?.description == """
        Could not move \(old) back: another program has written it, and \(old): File exists. The \
        file is now \(new). Move it to where it should be.
        """
    )
    #expect(try tree.text("moved.md") == "edited there")
    #expect(try tree.text("a.md") == "text of a.md")
  }
}
