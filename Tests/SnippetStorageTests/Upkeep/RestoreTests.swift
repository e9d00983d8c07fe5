import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct RestoreTests {
  let file = TemporaryDirectory.file("store.sqlite")
  let backup = TemporaryDirectory.file("backup.sqlite")

  /// Makes a backup of two snippets with these titles.
  init() async throws {
    let store = try TemporaryStore.open("origin.sqlite")
    _ = try await store.save(SnippetDraft(.text("text"), title: "first", tags: ["tag"]))
    _ = try await store.save(Samples.image(Samples.bytes(700_000), title: "second"))
    try await store.backUp(to: backup)
  }

  @Test func `a missing store is made`() async throws {
    let progress = Lock<[StoreProgress]>([])

    let report = try await SnippetStore.restore(from: backup, to: file) { step in
      progress.withLock { $0.append(step) }
    }

    #expect(report.check.isSound)
    #expect(report.check.snippetCount == 2)
    #expect(report.damagedFile == nil)
    #expect(
      progress.withLock { $0.last.map { $0.completedByteCount == $0.totalByteCount } } == true
    )
    #expect(try FileSystem.mode(of: file.path) == "600")
    #expect(try filesLeft() == ["store.sqlite"])
    try await expectRestored(try TemporaryStore.open())
  }

  // As a program does that only means to look, such as the browser.
  @Test func `a store that was restored into a new place can be written as it is`() async throws {
    try await SnippetStore.restore(from: backup, to: file)

    let store = try TemporaryStore.open { $0.preparation = .unaltered }
    try await store.save(SnippetDraft(.text("third")))

    #expect(try store.list().count == 3)
  }

  @Test func `an empty file becomes the store`() async throws {
    try Data().write(to: file)

    try await SnippetStore.restore(from: backup, to: file)

    try await expectRestored(try TemporaryStore.open())
  }

  @Test func `stores that are open see the new content at once`() async throws {
    let (first, second) = (try TemporaryStore.open(), try TemporaryStore.open())
    try await first.save(
      contentsOf: (0..<300).map { Samples.image(Samples.bytes(5000, seed: UInt64($0))) }
    )
    let lists = [first.list(), second.list(), second.list(.init(tags: ["tag"]))]
    for list in lists { _ = try list.count }

    let report = try await SnippetStore.restore(from: backup, to: file)

    #expect(report.damagedFile == nil)
    #expect(try lists.map { try $0.count } == [2, 2, 1])
    for store in [first, second] { try await expectRestored(store) }
    let row = try await first.save(SnippetDraft(.text("after"), createdAt: .distantFuture))
    #expect(try lists[1].row(at: 0)?.id == row.id)
    #expect(try filesLeft() == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
  }

  // A stale number must never find what was saved later.
  @Test func `numbers that were given before are not given again`() async throws {
    let store = try TemporaryStore.open()
    var last = try await store.save(Samples.image(Samples.bytes(10)))
    for seed in UInt64(2)..<9 {
      last = try await store.save(Samples.image(Samples.bytes(10, seed: seed)))
    }

    try await SnippetStore.restore(from: backup, to: file)

    let new = try await store.save(Samples.image(Samples.bytes(20)))
    #expect(new.id > last.id)
    #expect(try #require(new.blobID) > #require(last.blobID))
  }

  // The shell keeps nobody from it; each once ended the program, when the pages were replaced and
  // the numbers were not yet.
  @Test(
    arguments: [
      "UPDATE sqlite_sequence SET seq = 'many'", "UPDATE sqlite_sequence SET seq = 1.5",
      "INSERT INTO sqlite_sequence VALUES (X'00', X'00')",
      "INSERT INTO sqlite_sequence VALUES (NULL, NULL)", "DELETE FROM sqlite_sequence",
      "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'change'",
    ]
  )
  func `numbers that cannot be do not keep a store from being restored`(sql: String) async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("replaced")))
    #expect(try await Shell.sqlite3(file, sql).status == 0)

    for _ in 0..<2 { try await SnippetStore.restore(from: backup, to: file) }

    try await expectRestored(store)
    let changes = try await Shell.sqlite3(
      file,
      "SELECT typeof(seq), count(*) FROM sqlite_sequence WHERE name = 'change'"
    )
    #expect(changes.standardOutput == "integer|1\n")
  }

  @Test func `a store that nobody is writing to is as good as a backup`() async throws {
    let origin = TemporaryDirectory.file("origin.sqlite")

    try await SnippetStore.restore(from: origin, to: file)

    try await expectRestored(try TemporaryStore.open())
  }

  // restore                  reader
  // copies 8 MiB ──────────▶ sees the old content
  // copies 8 MiB ──────────▶ sees the old content
  // done ──────────────────▶ sees the new one
  @Test func `a reader sees all of the old content or all of the new`() async throws {
    let large = TemporaryDirectory.file("large.sqlite")
    let origin = try TemporaryStore.open("large origin.sqlite")
    for seed in 0..<4 {
      _ = try await origin.save(Samples.voice(Samples.bytes(5 << 20, seed: UInt64(seed))))
    }
    try await origin.backUp(to: large)
    let store = try TemporaryStore.open()
    let old = try await store.save(Samples.image(Samples.bytes(1000), title: "old"))
    let (list, steps) = (store.list(), Lock(0))

    try await SnippetStore.restore(from: large, to: file) { step in
      guard step.completedByteCount < step.totalByteCount else { return }
      steps.withLock { $0 += 1 }
      #expect((try? list.rows(in: 0..<9)) == [old])
      #expect((try? Threads.wait { try await store.content(of: old.id) }) == Samples.bytes(1000))
    }

    #expect(steps.withLock { $0 } >= 2)
    #expect(try list.rows(in: 0..<9) == origin.list().rows(in: 0..<9))
  }

  @Test func `a cancelled restore changes nothing`() async throws {
    let large = TemporaryDirectory.file("large.sqlite")
    let origin = try TemporaryStore.open("large origin.sqlite")
    for seed in 0..<3 {
      _ = try await origin.save(Samples.voice(Samples.bytes(5 << 20, seed: UInt64(seed))))
    }
    try await origin.backUp(to: large)
    let store = try TemporaryStore.open()
    let old = try await store.save(SnippetDraft(.text("old")))

    let target = file
    #expect(try await cancelledRestore(from: large, to: target) == .cancelled)
    #expect(try store.list().rows(in: 0..<9) == [old])
    #expect(try await store.save(SnippetDraft(.text("after"))).title == "after")

    let missing = TemporaryDirectory.file("store missing")
    #expect(try await cancelledRestore(from: large, to: missing) == .cancelled)
    #expect(try filesLeft() == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
  }

  private func cancelledRestore(
    from backup: URL,
    to file: URL
  ) async throws -> SnippetStoreError.Code? {
    let canceller = Canceller()
    let onProgress: @Sendable (StoreProgress) -> Void = { _ in canceller.cancel() }
    return await errorCode {
      try await canceller.run {
        try await SnippetStore.restore(from: backup, to: file, onProgress: onProgress)
      }
    }
  }

  private func expectRestored(_ store: SnippetStore) async throws {
    let rows = try store.list(order: .oldestFirst).rows(in: 0..<9)
    #expect(rows.map(\.title) == ["first", "second"])
    #expect(rows.map(\.tags) == [["tag"], []])
    let image = try #require(rows.last)
    #expect(try await store.content(of: image.id) == Samples.bytes(700_000))
    #expect(try await store.check().isSound)
  }

  private func filesLeft() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.url.path)
      .filter { $0.hasPrefix("store") }.sorted()
  }
}
