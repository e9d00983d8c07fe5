import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SystemPackage
import Testing

/// What is restored from, and what is restored to, when one of them is not what it should be.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct RestoreRefusalTests {
  let folder = TemporaryDirectory.current.url
  let file = TemporaryDirectory.file("store.sqlite")
  let backup = TemporaryDirectory.file("backup.sqlite")

  init() async throws {
    let store = try SnippetStore(at: TemporaryDirectory.file("origin.sqlite"))
    _ = try await store.save(Samples.image(Samples.bytes(700_000), title: "good"))
    try await store.backUp(to: backup)
    try await store.close()
  }

  @Test(arguments: BadFile.backups)
  func `what is no good backup replaces nothing`(_ bad: BadFile) async throws {
    let store = try SnippetStore(at: file)
    let old = try await store.save(SnippetDraft(.text("old")))
    try await bad.make(of: backup)

    #expect(await errorCode { try await SnippetStore.restore(from: backup, to: file) } == bad.code)

    #expect(try store.list().rows(in: 0..<9) == [old])
    try await store.close()
    let missing = TemporaryDirectory.file("missing.sqlite")
    #expect(
      await errorCode { try await SnippetStore.restore(from: backup, to: missing) } == bad.code
    )
    #expect(!FileManager.default.fileExists(atPath: missing.path))
  }

  @Test(arguments: ["cut short", "the schema destroyed"])
  func `of two files, the backup is the one that is damaged`(name: String) async throws {
    let store = try SnippetStore(at: file)
    let bad = try #require(BadFile.backups.first { $0.testDescription == name })
    try await bad.make(of: backup)

    let error = await #expect(throws: SnippetStoreError.self) {
      try await SnippetStore.restore(from: backup, to: file)
    }

    let text = error?.description ?? ""
    #expect(text.contains("the backup looks damaged ("), "\(text)")
    #expect(text.hasSuffix("Nothing was changed. Use another backup."), "\(text)")
    // The command would advise to check the store.
    #expect(error?.underlyingError == nil)
    try await store.close()
  }

  @Test(arguments: ["store.sqlite", "link"])
  func `a store is no backup of itself`(_ name: String) async throws {
    try await SnippetStore(at: file).close()
    let link = TemporaryDirectory.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let backup = TemporaryDirectory.file(name)

    #expect(
      await errorCode { try await SnippetStore.restore(from: backup, to: file) } == .invalidInput
    )
  }

  @Test(arguments: BadFile.targets)
  func `what is no store of ours is left as it is`(_ bad: BadFile) async throws {
    try FileManager.default.copyItem(at: backup, to: file)
    try await bad.make(of: file)
    let before = try? Data(contentsOf: file)

    #expect(await errorCode { try await SnippetStore.restore(from: backup, to: file) } == bad.code)

    #expect((try? Data(contentsOf: file)) == before)
    #expect(try filesLeft() == ["store.sqlite"])
  }

  @Test func `of two files, the one that is no database is named`() async throws {
    let bad = try #require(BadFile.targets.first { $0.testDescription == "a text" })
    try await bad.make(of: file)

    let error = await #expect(throws: SnippetStoreError.self) {
      try await SnippetStore.restore(from: backup, to: file)
    }

    let reason = error?.reason ?? ""
    #expect(reason.hasSuffix("/store.sqlite: the file is not a SQLite database"), "\(reason)")
  }

  @Test func `a damaged store is put aside whole`() async throws {
    try await makeDamagedStore()
    let (damaged, log) = (try Data(contentsOf: file), Data("its log".utf8))
    try log.write(to: URL(fileURLWithPath: file.path + "-wal"))

    let report = try await SnippetStore.restore(from: backup, to: file)

    let aside = try #require(report.damagedFile)
    #expect(aside.lastPathComponent.hasPrefix("store.sqlite.damaged-"))
    #expect(try Data(contentsOf: aside) == damaged)
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside.path + "-wal")) == log)
    #expect(try TemporaryStore.open().list().rows(in: 0..<9).map(\.title) == ["good"])
  }

  // A process of its own, whose calls of the file system can be made to fail.
  @Test(arguments: ["", "-wal", ".partial-"])
  func `a damaged store keeps its name and its log if the copy cannot take its place`(
    part: String
  ) async throws {
    try await makeDamagedStore()
    try Data("its log".utf8).write(to: URL(fileURLWithPath: file.path + "-wal"))

    await #expect(processExitsWith: .success) {
      [folder = folder.path as String, part = part as String] in
      let file = folder + "/store.sqlite"
      let damaged = try Data(contentsOf: URL(fileURLWithPath: file))
      FileCalls.observer = { call in
        guard case .rename(let path, to: _) = call else { return nil }
        let isMeant = part == ".partial-" ? path.hasPrefix(file + part) : path == file + part
        return isMeant ? .readOnlyFileSystem : nil
      }

      let code = await errorCode {
        try await SnippetStore.restore(
          from: URL(fileURLWithPath: folder + "/backup.sqlite"),
          to: URL(fileURLWithPath: file)
        )
      }
      FileCalls.observer = nil

      #expect(code == .readOnly)
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == damaged)
      #expect(try String(contentsOfFile: file + "-wal", encoding: .utf8) == "its log")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!names.contains { $0.contains(".damaged-") || $0.contains(".partial") })
    }
  }

  @Test func `what was put aside before is not overwritten`() async throws {
    var asides: [URL] = []
    for _ in 0..<3 {
      try? FileManager.default.removeItem(at: file)
      try await makeDamagedStore()
      let report = try await SnippetStore.restore(from: backup, to: file)
      asides.append(try #require(report.damagedFile))
    }

    #expect(Set(asides).count == 3)
  }

  @Test func `a restore that fails leaves a damaged store where it is`() async throws {
    try await makeDamagedStore()
    let damaged = try Data(contentsOf: file)
    let (canceller, backup, file) = (Canceller(), backup, file)
    let onProgress: @Sendable (StoreProgress) -> Void = { _ in canceller.cancel() }

    let code = await errorCode {
      try await canceller.run {
        try await SnippetStore.restore(from: backup, to: file, onProgress: onProgress)
      }
    }

    #expect(code == .cancelled)
    #expect(try Data(contentsOf: file) == damaged)
    #expect(try filesLeft() == ["store.sqlite"])
  }

  // The log of a store that somebody deleted would be taken for that of the backup.
  @Test(arguments: [false, true])
  func `the log of a store that is gone is put aside`(_ isEmptyFileLeft: Bool) async throws {
    let store = try SnippetStore(at: file)
    for number in 0..<40 { _ = try await store.save(SnippetDraft(.text("lost \(number)"))) }
    let log = URL(fileURLWithPath: file.path + "-wal")
    let kept = TemporaryDirectory.file("kept")
    _ = try await Shell.run("cp", [log.path, kept.path])
    try await store.close()
    try FileManager.default.removeItem(at: file)
    try FileManager.default.copyItem(at: kept, to: log)
    if isEmptyFileLeft { try Data().write(to: file) }

    let report = try await SnippetStore.restore(from: backup, to: file)

    #expect(report.damagedFile != nil)
    let asides = try filesLeft().filter { $0.contains(".damaged-") && $0.hasSuffix("-wal") }
    #expect(asides.count == 1)
    let aside = try Data(contentsOf: folder.appendingPathComponent(try #require(asides.first)))
    #expect(try aside == Data(contentsOf: kept))
    let restored = try TemporaryStore.open()
    #expect(try restored.list().rows(in: 0..<99).map(\.title) == ["good"])
    #expect(try await restored.check().isSound)
  }

  /// A store whose schema cannot be read any more.
  private func makeDamagedStore() async throws {
    try FileManager.default.copyItem(at: backup, to: file)
    try BadFile.overwrite(file, from: 100, with: Data(repeating: 0xFF, count: 2000))
  }

  private func filesLeft() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("store") }.sorted()
  }
}

/// A file that is not what it should be.
struct BadFile: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var code: SnippetStoreError.Code
  private var change: @Sendable (URL) async throws -> Void

  /// Makes the file such a one; it is a backup before.
  func make(of file: URL) async throws { try await change(file) }

  static let backups =
    foreign + [
      BadFile("a byte of a blob", .damaged) { file in
        try overwrite(
          file,
          from: try Data(contentsOf: file).count - 4000,
          with: Data([1, 2, 3, 4])
        )
      },
      BadFile("the schema destroyed", .damaged) { file in
        try overwrite(file, from: 100, with: Data(repeating: 0xFF, count: 2000))
      },
      BadFile("cut short", .damaged) { file in
        try Data(contentsOf: file).prefix(400_000).write(to: file)
      },
      BadFile("a foreign trigger", .damaged) { file in
        try await sqlite3(
          file,
          "CREATE TRIGGER foreign_trigger AFTER INSERT ON snippet BEGIN DELETE FROM blob; END"
        )
      },
      BadFile("a value against a rule", .damaged) { file in
        try await sqlite3(
          file,
          "PRAGMA ignore_check_constraints = ON; UPDATE snippet SET pinned = 9"
        )
      },
      BadFile("an empty file", .foreignFile) { file in try Data().write(to: file) },
      BadFile("an empty database", .foreignFile) { file in
        try FileManager.default.removeItem(at: file)
        try await sqlite3(file, "PRAGMA user_version = 0; VACUUM")
      },
      BadFile("nothing", .noSuchFile) { file in try FileManager.default.removeItem(at: file) },
    ]

  static let targets = foreign

  private static let foreign = [
    BadFile("a newer version", .newerStore) { file in
      try await sqlite3(file, "PRAGMA user_version = 99")
    },
    BadFile("another program's", .foreignFile) { file in
      try await sqlite3(file, "PRAGMA application_id = 7")
    },
    BadFile("a text", .foreignFile) { file in
      try Data(String(repeating: "a text\n", count: 900).utf8).write(to: file)
    },
    BadFile("a folder", .unreadable) { file in
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    },
  ]

  static func overwrite(_ file: URL, from offset: Int, with bytes: Data) throws {
    var content = try Data(contentsOf: file)
    content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    try content.write(to: file)
  }

  private init(
    _ name: String,
    _ code: SnippetStoreError.Code,
    _ change: @escaping @Sendable (URL) async throws -> Void
  ) {
    (testDescription, self.code, self.change) = (name, code, change)
  }

  private static func sqlite3(_ file: URL, _ sql: String) async throws {
    let output = try await Shell.sqlite3(file, sql)
    #expect(output == Shell.Output(standardOutput: ""))
  }
}
