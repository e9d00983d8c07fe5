import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct CreatingTests {
  #if !os(iOS)
  // The mask belongs to the process, so each one has its own.
  @Test(arguments: [0o000, 0o022, 0o077])
  func `a new file and its log are for their owner only`(mask: Int) async throws {
    let path = TemporaryDirectory.file("store.sqlite").path

    await #expect(processExitsWith: .success) { [mask, path = path as String] in
      umask(mode_t(mask))
      let store = try SnippetStore(at: URL(fileURLWithPath: path))
      _ = try await store.save(SnippetDraft(.text("hello")))
      for suffix in ["", "-wal", "-shm"] {
        let mode = try FileSystem.mode(of: path + suffix)
        #expect(mode == "600", "\(suffix)")
      }
      try await store.close()
    }
  }
  #endif

  @Test(arguments: [
    "plain.sqlite", "a b.sqlite", "100%.sqlite", "%41?mode=ro#x.sqlite", "Grüße 牛乳.sqlite",
    "'.sqlite",
    "file:x.sqlite", "-.sqlite", "a\nb.sqlite",
  ])
  func `a file can have any name`(name: String) async throws {
    let store = try TemporaryStore.open(name)
    _ = try await store.save(SnippetDraft(.text("hello")))
    try await store.close()

    let again = try TemporaryStore.open(name, configuration: .init(access: .readOnly))

    #expect(try again.list().count == 1)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: TemporaryDirectory.current.url.path
    )
    #expect(names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == [name])
  }

  @Test func `an empty file becomes a store`() async throws {
    let file = TemporaryDirectory.file("store.sqlite")
    try Data().write(to: file)

    let store = try TemporaryStore.open()

    _ = try await store.save(SnippetDraft(.text("hello")))
    #expect(try store.list().count == 1)
  }

  @Test func `a store is found again with what was saved`() async throws {
    let first = try TemporaryStore.open()
    let row = try await first.save(SnippetDraft(.text("hello"), tags: ["a"]))
    try await first.close()

    let second = try TemporaryStore.open(configuration: .init(access: .readWrite))

    #expect(try second.row(row.id) == row)
  }

  @Test func `opening a store writes nothing`() async throws {
    try await SnippetStore(at: TemporaryDirectory.file("store.sqlite")).close()
    let before = try await FileSystem.hashes()

    let store = try TemporaryStore.open()

    let open = try await FileSystem.hashes()
    #expect(before == open)
    try await store.close()
    let closed = try await FileSystem.hashes()
    #expect(before == closed)
  }

  @Test func `a store is opened without holding a thread of Swift's`() async throws {
    let url = TemporaryDirectory.file("store.sqlite")

    let store = try await SnippetStore.open(at: url)

    #expect(try store.list().count == 0)
    #expect(store.url == url)
    try await store.close()
    let error = await #expect(throws: SnippetStoreError.self) {
      try await SnippetStore.open(at: url.appendingPathComponent("below"))
    }
    #expect(error?.code == .unreadable)
  }

  @Test func `a store is opened through a link`() async throws {
    let link = TemporaryDirectory.file("link.sqlite")
    let store = try TemporaryStore.open()
    _ = try await store.save(SnippetDraft(.text("hello")))
    try FileManager.default.createSymbolicLink(
      at: link,
      withDestinationURL: TemporaryDirectory.file("store.sqlite")
    )

    let linked = try TemporaryStore.open("link.sqlite")

    _ = try await linked.save(SnippetDraft(.text("world")))
    #expect(try store.list().count == 2)
  }
}
