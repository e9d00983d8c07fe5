import Foundation
import GRDB
import Migrations
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// The step that makes the table of snippets.
private let firstVersionWithSnippets = 3

/// Backups of every older version of the schema that has snippets.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OlderBackupTests {
  let file = TemporaryDirectory.file("store.sqlite")
  let backup = TemporaryDirectory.file("backup.sqlite")

  @Test(arguments: firstVersionWithSnippets..<Migrations.latestVersion)
  func `a backup of an older version is brought up to date`(_ version: Int) async throws {
    try makeBackup(version: version)
    let before = try Data(contentsOf: backup)

    let report = try await SnippetStore.restore(from: backup, to: file)

    #expect(report.check.snippetCount == 1)
    #expect(try Data(contentsOf: backup) == before)
    let found = try await Shell.sqlite3(file, "PRAGMA user_version; SELECT title FROM snippets")
    #expect(found.standardOutput == "\(Migrations.latestVersion)\nold\n")
    try await expectRestored(try TemporaryStore.open())
  }

  @Test(arguments: firstVersionWithSnippets..<Migrations.latestVersion)
  func `a store that is open becomes one of an older version, brought up to date`(
    _ version: Int
  ) async throws {
    try makeBackup(version: version)
    let (first, second) = (try TemporaryStore.open(), try TemporaryStore.open())
    _ = try await first.save(SnippetDraft(.text("new"), tags: ["tag"]))

    try await SnippetStore.restore(from: backup, to: file)

    for store in [first, second] { try await expectRestored(store) }
    #expect(try await first.check().isSound)
    #expect(try await first.save(SnippetDraft(.text("after"), tags: ["tag"])).tags == ["tag"])
  }

  // restore                    reader
  // copies all, commits ─────▶ looks at the schema
  @Test(arguments: firstVersionWithSnippets..<Migrations.latestVersion)
  func `nobody ever sees the older schema`(_ version: Int) async throws {
    try makeBackup(version: version)
    let store = try TemporaryStore.open()
    let versions = Lock<Set<Int>>([])

    try await SnippetStore.restore(from: backup, to: file) { _ in
      let version = try? Threads.wait { try await store.information().schemaVersion }
      versions.withLock { _ = $0.insert(version ?? 0) }
    }

    #expect(versions.withLock { $0 } == [Migrations.latestVersion])
  }

  @Test(arguments: [1024, 65_536])
  func `a backup with pages of another size is taken over`(_ pageSize: Int) async throws {
    try makeBackup(version: Migrations.latestVersion, pageSize: pageSize)
    let store = try TemporaryStore.open()

    try await SnippetStore.restore(from: backup, to: file)

    try await expectRestored(store)
    let left = try FileManager.default
      .contentsOfDirectory(atPath: TemporaryDirectory.current.url.path).sorted()
    #expect(left == ["backup.sqlite", "store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
  }

  private func makeBackup(version: Int, pageSize: Int = 8192) throws {
    let connection = try DatabaseQueue(path: backup.path)
    try connection.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA page_size = \(pageSize)")
    }
    try MigrationRunner(
      operation: "test",
      migrations: Migrations.all.filter { $0.version <= version }
    ).run(on: connection)
    try connection.write { db in
      try db.execute(sql: "INSERT INTO snippet (id, kind, title) VALUES (7, 1, 'old')")
      try db.execute(sql: "INSERT INTO snippet_text VALUES (7, 'the text')")
    }
    try connection.close()
  }

  private func expectRestored(_ store: SnippetStore) async throws {
    let rows = try store.list().rows(in: 0..<9)
    #expect(rows.map(\.title) == ["old"])
    #expect(rows.map(\.tags) == [[]])
    #expect(try await store.text(of: SnippetID(rawValue: 7)) == "the text")
  }
}
