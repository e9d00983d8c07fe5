import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BackUpTests {
  let backup = TemporaryDirectory.file("backup.sqlite")

  @Test(arguments: StorePlace.allCases)
  func `a backup is a complete store of its own`(_ place: StorePlace) async throws {
    let store = try place.open()
    try await fill(store)
    let progress = Lock<[StoreProgress]>([])

    let report = try await store.backUp(to: backup) { step in progress.withLock { $0.append(step) }
    }

    #expect(report.isSound)
    #expect(report.snippetCount == 4)
    #expect(report.blobCount == 2)
    let steps = progress.withLock { $0 }
    #expect(steps.map(\.completedByteCount) == steps.map(\.completedByteCount).sorted())
    #expect(steps.last.map { $0.completedByteCount == $0.totalByteCount } == true)
    #expect(try filesLeft() == ["backup.sqlite"])
    #expect(try FileSystem.mode(of: backup.path) == "600")

    let copy = try TemporaryStore.open("backup.sqlite")
    #expect(try copy.list().rows(in: 0..<9) == store.list().rows(in: 0..<9))
    for row in try store.list().rows(in: 0..<9) {
      #expect(try await copy.content(of: row.id) == store.content(of: row.id))
    }
  }

  @Test func `a backup is a single file that can be read anywhere`() async throws {
    let store = try TemporaryStore.open()
    try await fill(store)
    try await store.backUp(to: backup)

    let mode = try await Shell.sqlite3(backup, "PRAGMA journal_mode; PRAGMA integrity_check")
    let reader = try TemporaryStore.open("backup.sqlite", configuration: .init(access: .readOnly))

    #expect(mode.standardOutput == "delete\nok\n")
    #expect(try reader.list().count == 4)
  }

  @Test func `a store that is only read can be backed up`() async throws {
    try await fill(try TemporaryStore.open())
    let reader = try TemporaryStore.open(configuration: .init(access: .readOnly))

    #expect(try await reader.backUp(to: backup).snippetCount == 4)
  }

  @Test func `a file that is there is replaced only when told`() async throws {
    let store = try TemporaryStore.open()
    try await fill(store)
    try Data("precious".utf8).write(to: backup)

    let code = await errorCode { try await store.backUp(to: backup) }
    #expect(code == .alreadyExists)
    #expect(try Data(contentsOf: backup) == Data("precious".utf8))
    #expect(try filesLeft() == ["backup.sqlite"])

    try await store.backUp(to: backup, replacesExisting: true)
    #expect(try TemporaryStore.open("backup.sqlite").list().count == 4)
    #expect(try FileSystem.mode(of: backup.path) == "600")
  }

  // The file is made while the copy is checked.
  @Test func `a file that somebody makes meanwhile is not replaced`() async throws {
    let store = try TemporaryStore.open()
    try await fill(store)
    let backup = backup

    let code = await errorCode {
      try await store.backUp(to: backup) { _ in
        _ = FileManager.default.createFile(atPath: backup.path, contents: Data("precious".utf8))
      }
    }

    #expect(code == .alreadyExists)
    #expect(try Data(contentsOf: backup) == Data("precious".utf8))
    #expect(try filesLeft() == ["backup.sqlite"])
  }

  @Test(arguments: ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "link", "other name"])
  func `a backup never takes the place of the store itself`(_ name: String) async throws {
    let store = try TemporaryStore.open()
    try await fill(store)
    let (file, other) = (TemporaryDirectory.file("store.sqlite"), TemporaryDirectory.file(name))
    if name == "link" {
      try FileManager.default.createSymbolicLink(at: other, withDestinationURL: file)
    }
    if name == "other name" { try FileManager.default.linkItem(at: file, to: other) }

    let code = await errorCode { try await store.backUp(to: other, replacesExisting: true) }

    #expect(code == .invalidInput)
    #expect(try await Shell.sqlite3(file, "SELECT count(*) FROM snippet").standardOutput == "4\n")
    #expect(try await store.save(SnippetDraft(.text("after"))).title == "after")
  }

  // The log of one database beside another one would be taken for its own.
  @Test(arguments: ["-wal", "-journal"])
  func `a backup never takes the place of a database with a log`(_ suffix: String) async throws {
    let store = try TemporaryStore.open()
    try await fill(store)
    let log = URL(fileURLWithPath: backup.path + suffix)
    try Data("precious".utf8).write(to: log)

    let code = await errorCode { try await store.backUp(to: backup, replacesExisting: true) }

    #expect(code == .invalidInput)
    #expect(try Data(contentsOf: log) == Data("precious".utf8))
    #expect(try filesLeft() == [log.lastPathComponent])
  }

  // A backup that was opened for writing once keeps such a log.
  @Test func `an empty log beside a backup does not keep it from being replaced`() async throws {
    let store = try TemporaryStore.open()
    try await store.backUp(to: backup)
    try Data().write(to: URL(fileURLWithPath: backup.path + "-wal"))
    try await fill(store)

    try await store.backUp(to: backup, replacesExisting: true)

    let copy = try SnippetStore(at: backup, configuration: .init(access: .readOnly))
    #expect(try copy.list().count == store.list().count)
    try await copy.close()
  }

  @Test func `a place where no file can be made is refused`() async throws {
    let store = try TemporaryStore.open()
    let folder = TemporaryDirectory.file("backup folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let inMissing = TemporaryDirectory.file("missing/backup.sqlite")
    let longName = TemporaryDirectory.file(String(repeating: "n", count: 250))

    #expect(await errorCode { try await store.backUp(to: inMissing) } == .cannotCreate)
    #expect(await errorCode { try await store.backUp(to: longName) } == .cannotCreate)
    #expect(await errorCode { try await store.backUp(to: folder) } == .alreadyExists)
    #expect(
      await errorCode { try await store.backUp(to: folder, replacesExisting: true) }
        == .cannotCreate
    )
    #expect(try filesLeft() == ["backup folder"])
  }

  @Test func `a cancelled backup leaves no file`() async throws {
    let (store, backup, canceller) = (try TemporaryStore.open(), backup, Canceller())
    try await fill(store)
    let onProgress: @Sendable (StoreProgress) -> Void = { _ in canceller.cancel() }

    let code = await errorCode {
      try await canceller.run { try await store.backUp(to: backup, onProgress: onProgress) }
    }

    #expect(code == .cancelled)
    #expect(try filesLeft() == [])
    #expect(try await store.backUp(to: backup).snippetCount == 4)
  }

  @Test func `a closed store is not backed up`() async throws {
    let store = try TemporaryStore.open()
    try await store.close()

    #expect(await errorCode { try await store.backUp(to: backup) } == .closed)
    #expect(try filesLeft() == [])
  }

  private func fill(_ store: SnippetStore) async throws {
    _ = try await store.save(SnippetDraft(.text("text"), tags: ["a", "b"]))
    _ = try await store.save(Samples.image(Samples.bytes(700_000)))
    _ = try await store.save(Samples.voice(Samples.bytes(700_000)))
    _ = try await store.save(SnippetDraft(.text(Samples.longText())))
  }

  private func filesLeft() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.url.path)
      .filter { $0.hasPrefix("backup") }.sorted()
  }
}
