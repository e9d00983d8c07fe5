import Foundation
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Synchronization
import Testing

/// The samples on the store, run.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct StorageSampleTests {
  @Test func `a store is opened, written and listed`() async throws {
    try await printNewest(in: TemporaryDirectory.file("landing.sqlite"))
    let (milk, newest) = try await StorageComments.opening(
      TemporaryDirectory.file("comment.sqlite")
    )

    #expect(newest == [milk])
  }

  @Test func `a store is used from opening to closing`() async throws {
    let file = TemporaryDirectory.file("used.sqlite")
    let backup = TemporaryDirectory.file("backup.sqlite")

    let (store, milk) = try await UsingAStore.opening(file)
    try await UsingAStore.trashing(milk, in: store)
    try await UsingAStore.backingUp(store, to: backup)
    try await store.close()
    let message = await UsingAStore.saving(SnippetDraft(.text("Bread")), in: store)

    #expect(message?.hasPrefix("Could not save a snippet: the store is closed.") == true)
    for copy in [file, backup] {
      let store = try await UsingAStore.reopening(copy)
      #expect(try await UsingAStore.emptying(store) == 0)
      #expect(try store.list().rows(in: 0..<9).map(\.tags) == [["kitchen", "shopping"]])
      try await store.close()
    }
  }

  @Test func `blobs are saved and read`() async throws {
    let store = try TemporaryStore.open()
    let file = TemporaryDirectory.file("photo.png")
    let bytes = Samples.png + Data(count: 300_000)
    try bytes.write(to: file)

    let photo = try await StorageArticles.saving(file, in: store)

    #expect(photo.tags == ["holiday"])
    #expect(try await StorageArticles.pieces(of: photo.id, in: store) == bytes.count)
  }

  @Test func `a vault is imported and brought up to date`() async throws {
    let store = try TemporaryStore.open()
    let folder = TemporaryDirectory.file("vault")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("Daily"),
      withIntermediateDirectories: true
    )
    try Data("Milk".utf8).write(to: folder.appendingPathComponent("Daily/list.md"))

    let report = try await StorageArticles.exchanging(folder, with: store)

    #expect(report[.imported] == 1)
    #expect(try store.list().rows(in: 0..<9).map(\.tags) == [["Daily"]])
    #expect(try await StorageArticles.telling(folder, to: store)[.unchanged] == 1)
  }

  @Test func `a service keeps a store and a folder alike`() async throws {
    let store = try TemporaryStore.open()
    let folder = TemporaryDirectory.file("served")
    let number = TemporaryDirectory.file("number.json")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let files = ["a.md", "b.md", "c.md"].map { folder.appendingPathComponent($0) }
    for file in files { try Data(file.lastPathComponent.utf8).write(to: file) }
    func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }
    func trash(_ file: URL) async throws {
      let rows = try store.list().rows(in: 0..<9)
      let row = try #require(rows.first { $0.preview == file.lastPathComponent })
      try await store.moveToTrash([row.id])
    }

    let first = Task { try await serve(folder, from: store, keepingNumberIn: number) }
    while !isThere(number) { await Task.yield() }
    try await trash(files[0])
    while isThere(files[0]) { await Task.yield() }
    first.cancel()
    _ = await first.result
    try await trash(files[1])
    let second = Task { try await serve(folder, from: store, keepingNumberIn: number) }
    while isThere(files[1]) { await Task.yield() }
    second.cancel()
    _ = await second.result

    #expect(isThere(files[2]))
    #expect(try store.list().rows(in: 0..<9).map(\.preview) == ["c.md"])
    #expect(try store.list(.trash).count == 2)
  }

  @Test func `a capture is kept as it comes`() async throws {
    let store = try TemporaryStore.open()
    let sound = Samples.wav()
    let microphone = StorageComments.Microphone([sound.prefix(1_000), sound.dropFirst(1_000)])

    let row = try await StorageComments.capturing(microphone, in: store)

    #expect(row.title == "A thought")
    #expect(row.byteCount == Int64(sound.count))
  }

  @Test func `searches find words and phrases`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("Milk for the cake")))
    try await store.save(SnippetDraft(.text("The cake, for milk")))
    try await store.save(SnippetDraft(.text("Potatoes")))

    #expect(try await StorageArticles.searching(store).map(\.title) == ["Milk for the cake"])
    let field = StorageComments.Field(text: "pota")
    #expect(
      try await StorageComments.searching(store, field).map(\.query) == [
        "potato kind:image", "pota",
      ]
    )
    var search: Task<Void, Never>?
    let shown = Mutex<(any RowList)?>(nil)
    for typed in [StorageComments.Field(text: ""), field] {
      StorageComments.typing(store, in: typed, &search) { list in
        shown.withLock { $0 = list }
      } report: { error in
        Issue.record(error)
      }
      await search?.value
      #expect(try shown.withLock { $0 }?.count == (typed.text.isEmpty ? 3 : 1))
    }
    let results = try #require(shown.withLock { $0 } as? SearchResults)
    #expect(StorageArticles.building() == "soup -tag:draft size:>=1MB")
    #expect(StorageComments.building().text.contains("(kind:image OR size:>=1MB)"))
    #expect(StorageArticles.explaining("size:x").hasPrefix("x: “x” is not a size. Write "))
    #expect(try await StorageComments.narrowing(store).count == 0)
    try await results.finish()
    #expect(try results.rows(in: 0..<1).map(\.title) == ["Potatoes"])
  }
}
