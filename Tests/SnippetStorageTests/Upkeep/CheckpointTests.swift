import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct CheckpointTests {
  let store: SnippetStore
  let file = TemporaryDirectory.file("store.sqlite")

  init() throws {
    store = try TemporaryStore.open()
  }

  // A batch of 32 MiB comes on top of a log that is not yet due.
  @Test func `the log stays short while much is saved`() async throws {
    let drafts = GeneratedDrafts(120) { Self.image(1 << 20, $0) }

    let longest = try await longestLog(whileSaving: drafts)

    #expect(longest > 8 << 20)
    #expect(longest < 48 << 20)
  }

  @Test func `the log stays short while many texts are saved`() async throws {
    let drafts = GeneratedDrafts(12_000) { SnippetDraft(.text("text number \($0)")) }

    #expect(try await longestLog(whileSaving: drafts) < 16 << 20)
  }

  private func longestLog(whileSaving drafts: GeneratedDrafts) async throws -> Int64 {
    let log = file.path + "-wal"
    return try await Threads.run { [store] in
      var longest: Int64 = 0
      // Asking the store would count its rows each time.
      try store.blockingSave(contentsOf: drafts) { _ in
        let attributes = try? FileManager.default.attributesOfItem(atPath: log)
        longest = max(longest, attributes?[.size] as? Int64 ?? .max)
      }
      return longest
    }
  }

  @Test func `the log stays short while a large file is saved`() async throws {
    _ = try await store.save(Self.image(64 << 20))

    #expect(try await store.information().logByteCount < 16 << 20)
  }

  // A log that keeps its length would be folded again after every save, at the cost of waiting for
  // the disk.
  @Test func `a log that has been folded is short again`() async throws {
    try await store.save(contentsOf: (0..<11).map { Self.image(1 << 20, $0) })
    #expect(try await store.information().logByteCount > 8 << 20)

    _ = try await store.save(SnippetDraft(.text("short")))

    #expect(try await store.information().logByteCount < 8 << 20)
  }

  @Test func `a log is folded into the file that a link leads to`() async throws {
    let link = TemporaryDirectory.file("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let linked = try TemporaryStore.open("link.sqlite")
    try await linked.save(contentsOf: (0..<11).map { Self.image(1 << 20, $0) })
    #expect(try await linked.information().logByteCount > 8 << 20)

    _ = try await linked.save(SnippetDraft(.text("short")))

    #expect(try await linked.information().logByteCount < 8 << 20)
    #expect(linked.url == link)
  }

  @Test func `no commit touches the file while the log is short`() async throws {
    let before = try await Shell.sha256(file)

    // SQLite by itself would fold the log after 1,000 pages, 8 MB here, of which the schema takes
    // a part.
    for seed in 0..<6 {
      _ = try await store.save(Self.image(1 << 20, seed))
    }
    #expect(try await Shell.sha256(file) == before)

    _ = try await store.save(Self.image(2 << 20))
    #expect(try await Shell.sha256(file) != before)
  }

  // checkpoint            another connection
  // begins ─────────────▶ cannot write
  // copies the log
  // ends ───────────────▶ cannot write
  // lets go ────────────▶ can
  @Test func `nobody can write from the beginning of a checkpoint to its end`() async throws {
    _ = try await store.save(Self.image(1 << 20))
    let checkpointer = Checkpointer(
      of: OpenStoreFile(path: file.path),
      busyTimeout: .seconds(1),
      .full
    )
    let other = try DatabaseQueue(path: file.path)
    let moments = Lock<[String]>([])
    try await checkpointer.connection.get().writeWithoutTransaction { db in
      db.trace(options: [.statement, .profile]) { event in
        guard "\(event)".contains("wal_checkpoint") else { return }
        let canWrite = Self.canWrite(other)
        if case .statement = event {
          moments.withLock { $0.append("begins, others write: \(canWrite)") }
        } else {
          moments.withLock { $0.append("ends, others write: \(canWrite)") }
        }
      }
    }

    try checkpointer.run(holding: try store.connections.writer(for: "test"))

    #expect(
      moments.withLock { $0 } == ["begins, others write: false", "ends, others write: false"]
    )
    #expect(Self.canWrite(other))
    #expect(try remainingFrames() == 0)
    try other.close()
    try checkpointer.close()
  }

  @Test func `there is no checkpoint while another program writes`() async throws {
    _ = try await store.save(Self.image(1 << 20))
    let before = try await Shell.sha256(file)
    let shell = try ShellSession(file)
    _ = try await shell.run("BEGIN IMMEDIATE; INSERT INTO snippet (kind) VALUES (1);")
    let checkpointer = Checkpointer(
      of: OpenStoreFile(path: file.path),
      busyTimeout: .zero,
      .full
    )
    let impatient = try DatabaseQueue(path: file.path)

    let error = #expect(throws: DatabaseError.self) { try checkpointer.run(holding: impatient) }

    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(try await Shell.sha256(file) == before)
    _ = try await shell.run("COMMIT;")
    try checkpointer.run(holding: impatient)
    #expect(try await Shell.sha256(file) != before)
    try await shell.end()
    try impatient.close()
    try checkpointer.close()
  }

  // reader                 writer
  // holds a snapshot ────▶ saves 20 MiB
  // lets go ─────────────▶ saves twice
  @Test func `what a reader holds up is made up for later`() async throws {
    let reading = await Hold.snapshot(of: file)

    for seed in 0..<20 {
      _ = try await store.save(Self.image(1 << 20, seed))
    }
    #expect(try await store.information().logByteCount > 20 << 20)

    try await reading.end()
    for number in 0..<2 { _ = try await store.save(SnippetDraft(.text("text \(number)"))) }
    #expect(try await store.information().logByteCount < 8 << 20)
  }

  private static func image(_ byteCount: Int, _ number: Int = 99) -> SnippetDraft {
    Samples.image(Data("\(number) ".utf8) + Data(count: byteCount))
  }

  private static func canWrite(_ connection: DatabaseQueue) -> Bool {
    do {
      try connection.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) { .rollback }
      }
      return true
    } catch {
      return false
    }
  }

  /// How much of the log is not yet in the file.
  private func remainingFrames() throws -> Int? {
    let connection = try DatabaseQueue(path: file.path)
    let row = try connection.writeWithoutTransaction {
      try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(PASSIVE)")
    }
    try connection.close()
    return row.flatMap { row in
      (row[1] as Int?).flatMap { log in (row[2] as Int?).map { log - $0 } }
    }
  }
}
