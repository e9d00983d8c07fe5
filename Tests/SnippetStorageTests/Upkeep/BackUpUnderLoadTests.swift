import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BackUpUnderLoadTests {
  // backup                this process         another one
  // copies 8 MiB ───────▶ saves, deletes
  //                       ──────────────────▶ inserts
  // copies 8 MiB ───────▶ …
  @Test func `a backup holds what was acknowledged before it, and nothing of later`() async throws {
    let store = try TemporaryStore.open()
    let shell = try ShellSession(TemporaryDirectory.file("store.sqlite"))
    for seed in 0..<3 {
      _ = try await store.save(Samples.voice(Samples.bytes(8 << 20, seed: UInt64(seed))))
    }
    let written = Lock(0)

    for round in 0..<6 {
      let expected = try store.list().rows(in: 0..<9999)
      let backup = TemporaryDirectory.file("backup \(round)")
      let steps = Lock(0)

      try await store.backUp(to: backup) { _ in
        let number = written.withLock { count in
          count += 1
          return count
        }
        steps.withLock { $0 += 1 }
        #expect(throws: Never.self) {
          try Threads.wait {
            let row = try await store.save(
              Samples.image(Samples.bytes(300_000, seed: 99 + UInt64(number)))
            )
            _ = try await store.save(SnippetDraft(.text("text \(number)"), tags: ["tag"]))
            if number % 3 == 0 { try await store.delete([row.id]) }
          }
          try shell.runAndWait("INSERT INTO snippet (kind, title) VALUES (1, 'of another');")
        }
      }

      #expect(steps.withLock { $0 } >= 3)
      let copy = try TemporaryStore.open("backup \(round)")
      #expect(try copy.list().rows(in: 0..<9999) == expected)
    }
    try await shell.end()
  }

  // Nothing is forced: two tasks save as fast as they can while the backups are made.
  @Test func `backups under free load are sound and complete`() async throws {
    let store = try TemporaryStore.open()
    let (acknowledged, isOver) = (Lock<[SnippetID]>([]), Lock(false))
    let writers = (0..<2).map { writer in
      Task {
        var number = 0
        while !isOver.withLock({ $0 }) {
          number += 1
          let draft =
            number % 2 == 0
            ? SnippetDraft(.text("writer \(writer) text \(number)"))
            : Samples.image(Data("writer \(writer) image \(number)".utf8) + Data(count: 100_000))
          let row = try await store.save(draft)
          acknowledged.withLock { $0.append(row.id) }
        }
      }
    }

    for round in 0..<8 {
      let expected = Set(acknowledged.withLock { $0 })
      try await store.backUp(to: TemporaryDirectory.file("backup \(round)"))
      let copy = try TemporaryStore.open("backup \(round)")
      let found = Set(try copy.list().rows(in: 0..<Int.max).map(\.id))
      #expect(found.isSuperset(of: expected))
    }

    isOver.withLock { $0 = true }
    for writer in writers { try await writer.value }
  }

  // A process of its own, so that what other tests use does not count.
  @Test func `a large store is backed up in constant memory`() async {
    await #expect(processExitsWith: .success) {
      [
        folder = TemporaryDirectory.current.url.path as String
      ] in
      let folder = URL(fileURLWithPath: folder)
      let store = try SnippetStore(at: folder.appendingPathComponent("large.sqlite"))
      _ = try await store.save(Samples.voice(Data(repeating: 1, count: 1 << 20)))
      try await store.backUp(to: folder.appendingPathComponent("small"))
      for number in 2..<50 {
        _ = try await store.save(Samples.voice(Data(repeating: UInt8(number), count: 1 << 20)))
      }
      let before = PeakMemory.byteCount ?? 0

      let report = try await store.backUp(to: folder.appendingPathComponent("large"))

      #expect(report.blobByteCount == 49 << 20)
      #expect(try #require(PeakMemory.byteCount) - before < 16 << 20)
      try await store.close()
    }
  }

  @Test func `a backup that finds no room leaves no file`() async {
    await #expect(processExitsWith: .success) {
      [
        folder = TemporaryDirectory.current.url.path as String
      ] in
      let store = try await SnippetStore.inMemory()
      _ = try await store.save(Samples.voice(Data(repeating: 1, count: 4 << 20)))
      let folder = URL(fileURLWithPath: folder).appendingPathComponent("empty")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      limitFiles(to: 1 << 20)

      let backup = folder.appendingPathComponent("backup")
      let code = await errorCode { try await store.backUp(to: backup) }

      #expect(code == .inputOutput)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test func `a folder that cannot be written is refused`() async throws {
    let folder = TemporaryDirectory.file("closed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    #expect(chmod(folder.path, 0o555) == 0)

    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      if geteuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let store = try await SnippetStore.inMemory()
      let backup = URL(fileURLWithPath: path + "/backup")
      #expect(await errorCode { try await store.backUp(to: backup) } == .cannotCreate)
    }
  }
}

/// From now on this process can write no file larger than that; only for one of a test's own.
private func limitFiles(to byteCount: rlim_t) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: byteCount, rlim_max: byteCount)
  #if canImport(Glibc)
  #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
  #else
  #expect(setrlimit(RLIMIT_FSIZE, &limit) == 0)
  #endif
}

extension ShellSession {
  /// Runs SQL and keeps the calling thread meanwhile, which must be none of Swift's own.
  func runAndWait(_ sql: String) throws {
    let (done, output) = (Gate(), Lock<Result<String, any Error>>(.success("")))
    Task.detached {
      let result: Result<String, any Error>
      do { result = .success(try await self.run(sql)) } catch { result = .failure(error) }
      output.withLock { $0 = result }
      done.open()
    }
    done.blockUntilOpen()
    #expect(try output.withLock { $0 }.get() == "")
  }
}
