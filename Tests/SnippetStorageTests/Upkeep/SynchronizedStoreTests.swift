import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// A store that takes part in a synchronization, and one that is left with parts of one.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SynchronizedStoreTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `upkeep leaves a synchronization as it is`() async throws {
    let store = try TemporaryStore.open()
    let kept = try await store.save(SnippetDraft(.text("kept")))
    let deleted = try await store.save(SnippetDraft(.text("deleted")))
    try await shell(SyncSample.state + SyncSample.rows)
    let dump = ".dump sync_%"
    let before = try await Shell.sqlite3(file, dump)

    try await store.apply(SnippetEdit(title: "Renamed"), to: kept.id)
    try await store.delete([deleted.id])
    #expect(try await store.check().isSound)
    #expect(try await store.collectGarbage().isClean)
    try await store.purge()

    #expect(try await store.check().isSound)
    #expect(before.standardOutput.contains("laptop"))
    #expect(try await Shell.sqlite3(file, dump) == before)
  }

  @Test(arguments: [0, 2000])
  func `rows without a state are garbage`(moreCount: Int) async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("kept")))
    try await shell(
      """
      \(SyncSample.rows)
      WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more)
      INSERT INTO sync_absent SELECT randomblob(16), 1, '{}' FROM more LIMIT \(moreCount)
      """
    )
    let count = 6 + moreCount
    let before = try await store.check()
    #expect(
      before.problems.map(\.description) == [
        "\(count) rows of a synchronization are left without its state"
      ]
    )
    #expect(before.isGarbageOnly)

    let report = try await store.collectGarbage()

    #expect(report.syncRowCount == count)
    #expect(!report.isClean)
    #expect(try await shell(SyncSample.rowCount) == "0\n")
    #expect(try await store.check().isSound)
    #expect(try await store.collectGarbage().isClean)
    #expect(try store.list().count == 1)
  }

  @Test func `one row without a state is named`() async throws {
    let store = try SnippetStore(at: file)
    try await shell("INSERT INTO sync_outbox VALUES (1, X'00')")

    #expect(
      try await store.check().problems.map(\.description) == [
        "1 row of a synchronization is left without its state"
      ]
    )
    try await store.close()
  }

  @Test func `a log file beyond the last one that was made is named`() async throws {
    let store = try SnippetStore(at: file)
    try await shell("\(SyncSample.state) INSERT INTO sync_outbox VALUES (2, X'00'), (3, X'00')")

    let report = try await store.check()

    #expect(
      report.problems.map(\.description) == [
        "log file 3 is in the outbox, and the synchronization does not know that it was made"
      ]
    )
    #expect(!report.isGarbageOnly)
    try await store.close()
  }

  @discardableResult
  private func shell(_ sql: String) async throws -> String {
    let output = try await Shell.sqlite3(file, sql)
    try #require(output.status == 0, "\(output)")
    return output.standardOutput
  }
}
