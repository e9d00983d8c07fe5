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

  // SQLite would delete it, as the log of a database that is gone.
  @Test(arguments: ["-wal", "-journal"], [false, true])
  func `no store is made beside a file with the name of its log`(
    suffix: String,
    isEmptyFileThere: Bool
  ) async throws {
    let file = TemporaryDirectory.file("trip")
    let diary = URL(fileURLWithPath: file.path + suffix)
    try Data("Dear diary, the weather is fine.".utf8).write(to: diary)
    if isEmptyFileThere { try Data().write(to: file) }

    let error = #expect(throws: SnippetStoreError.self) { try SnippetStore(at: file) }

    #expect(error?.code == .cannotCreate)
    let reason = error?.reason ?? ""
    #expect(reason.contains("/trip\(suffix) is there"), "\(reason)")
    #expect(try Data(contentsOf: diary) == Data("Dear diary, the weather is fine.".utf8))
    #expect(FileManager.default.fileExists(atPath: file.path) == isEmptyFileThere)
  }

  @Test func `the log of a store that was moved away brings its snippets back with it`()
    async throws
  {
    let (file, away) = (TemporaryDirectory.file("store.sqlite"), TemporaryDirectory.file("away"))
    let store = try SnippetStore(at: file)
    _ = try await store.save(SnippetDraft(.text("hello")))
    // As a killed process leaves them.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: file.path + suffix, toPath: away.path + suffix)
    }
    try await store.close()
    try FileManager.default.removeItem(at: file)
    try FileManager.default.moveItem(atPath: away.path + "-wal", toPath: file.path + "-wal")

    #expect(throws: SnippetStoreError.self) { try SnippetStore(at: file) }

    try FileManager.default.moveItem(at: away, to: file)
    let again = try SnippetStore(at: file)
    #expect(try again.list().count == 1)
    try await again.close()
  }

  // SQLite writes it before the first page of the file.
  @Test(arguments: [512, 12])
  func `what a creation that was cut off has left becomes a store`(byteCount: Int) async throws {
    let file = TemporaryDirectory.file("store.sqlite")
    try Data().write(to: file)
    var header = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    header += Data([0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0x20, 0])
    header += Data(count: 512 - header.count)
    try header.prefix(byteCount).write(to: URL(fileURLWithPath: file.path + "-journal"))

    let store = try SnippetStore(at: file)

    _ = try await store.save(SnippetDraft(.text("hello")))
    #expect(try store.list().count == 1)
    try await store.close()
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
