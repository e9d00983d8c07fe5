import Foundation
import SnippetBase
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

/// A process that opens a database by other means than SQLite and closes it again loses the POSIX
/// locks that it holds on it (https://www.sqlite.org/howtocorrupt.html, section 2.2).
///
/// Where a store has others, nothing is lost by that.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OpenStoreFileTests {
  @Test func `an import never opens the files of its own store`() async throws {
    let tree = try FileTree("tree")
    let store = try TemporaryStore.open("tree/store.sqlite")
    _ = try await store.save(SnippetDraft(.text("before")))
    try tree.add("a.txt", "a")
    try link("store.sqlite", in: tree, as: "another name.txt")
    try tree.addLink("link", to: "store.sqlite")
    let given = [
      "store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "link", "another name.txt",
    ]

    let report = try await store.importFiles(
      at: [tree.url] + given.map { tree.url.appendingPathComponent($0) }
    ) { event in
      guard event.outcome != .leftOut else { return }
      #expect(ImportOutcome(event) == ImportOutcome(tree.path("a.txt"), .imported, 1))
    }

    // Once where each was found, and once where it was given.
    #expect(report[.imported] == 1 && report[.leftOut] == 10, "\(report)")
    #expect(await store.sizeOfImport(of: [tree.url]).fileCount == 1)
    #expect(try await hasItsLocks(store))
  }

  @Test func `an import never opens the files of another store that is open`() async throws {
    let tree = try FileTree("tree")
    let store = try TemporaryStore.open()
    let other = try TemporaryStore.open("tree/other.sqlite")
    _ = try await other.save(SnippetDraft(.text("before")))
    try tree.add("a.txt", "a")

    let report = try await store.importFiles(at: [tree.url])

    #expect(report[.imported] == 1)
    #expect(try await hasItsLocks(other))
  }

  // A process of its own, whose calls of the file system can be watched.
  @Test func `an import opens no store for a name by which it looks at files ahead`() async {
    await #expect(processExitsWith: .success) {
      [folder = TemporaryDirectory.current.url.path as String] in
      let store = try SnippetStore(at: URL(fileURLWithPath: folder + "/store.sqlite"))
      let vault = URL(fileURLWithPath: folder + "/vault")
      try FileManager.default.createDirectory(at: vault, withIntermediateDirectories: true)
      let photo = vault.appendingPathComponent("photo.png")
      try Samples.png.write(to: photo)
      try await store.importFiles(at: [vault])
      try FileManager.default.removeItem(at: photo)
      // A picture whose note is in a file beside it, an item of Joplin, and the list of an export.
      let names = ["photo.png", String(repeating: "0", count: 32) + ".md", "manifest.jsonl"]
      for name in names {
        let link = vault.appendingPathComponent(name).path
        try FileManager.default.linkItem(atPath: folder + "/store.sqlite", toPath: link)
      }
      try Data("---\nnote-of: \"[[photo.png]]\"\n---\nThe beach\n".utf8)
        .write(to: vault.appendingPathComponent("photo.png.md"))
      let opened = Counter()
      FileCalls.observer = { call in
        if case .open(let path, _) = call, names.contains(path.fileName) { opened.add(1) }
        return nil
      }

      let report = try await store.importFiles(at: [vault])
      FileCalls.observer = nil

      #expect(report[.updated] == 1 && report[.leftOut] == names.count, "\(report)")
      #expect(opened.value == 0)
      try await store.close()
    }
  }

  @Test func `a store that is open is no content of a snippet`() async throws {
    let store = try TemporaryStore.open()
    _ = try await store.save(SnippetDraft(.text("before")))
    let url = try #require(store.url)

    for suffix in ["", "-wal", "-shm"] {
      let file = URL(fileURLWithPath: url.path + suffix)
      let draft = SnippetDraft(.file(at: file), kind: .image, mediaType: "image/x-sample")
      let code = await errorCode { _ = try await store.save(draft) }
      #expect(code == .unreadable)
    }

    #expect(try await hasItsLocks(store))
  }

  @Test func `a store that is closed is a file like any other`() async throws {
    let tree = try FileTree("tree")
    let store = try TemporaryStore.open()
    try await SnippetStore(at: tree.url.appendingPathComponent("closed.sqlite")).close()

    let advice = Lock<[String?]>([])
    let file = tree.url.appendingPathComponent("closed.sqlite")
    let report = try await store.importFiles(at: [tree.url, file]) { event in
      advice.withLock { $0.append(event.error?.recoverySuggestion) }
    }

    #expect(report[.unsupported] == 2)
    let words = "Export it into a folder, and import that: snip export FOLDER --store FILE"
    #expect(advice.withLock { $0 } == [words, words])
  }

  #if os(Linux)
  @Test func `a store whose file somebody opens and closes keeps its locks`() async throws {
    let url = TemporaryDirectory.file("store.sqlite")
    let store = try SnippetStore(at: url)
    _ = try await store.save(SnippetDraft(.text("before")))

    close(open(url.path, O_RDONLY))

    #expect(try await hasItsLocks(store))
  }
  #endif

  /// Whether another program that reads the store and goes away leaves it alone: without the
  /// locks it takes itself for the last one, and removes the log that this process writes to.
  private func hasItsLocks(_ store: SnippetStore) async throws -> Bool {
    let file = try #require(store.url)
    func log() -> Int? {
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path + "-wal")
      return attributes?[.systemFileNumber] as? Int
    }
    let before = try #require(log())
    #expect(
      try await Shell.sqlite3(file, "SELECT count(*) > 0 FROM snippet").standardOutput == "1\n"
    )
    guard log() == before else { return false }
    let row = try await store.save(SnippetDraft(.text("after")))
    let found = try await Shell.sqlite3(file, "SELECT title FROM snippet WHERE id = \(row.id)")
    return found.standardOutput == "after\n"
  }

  private func link(_ name: String, in tree: FileTree, as other: String) throws {
    try FileManager.default.linkItem(atPath: tree.path(name), toPath: tree.path(other))
  }
}
