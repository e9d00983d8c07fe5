import SnippetRescue
import SnippetStorage
import SnippetTestSupport
import Testing

/// Repairs of a store that takes part in a synchronization.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SynchronizedRepairTests {
  private let file = TemporaryDirectory.file("store.sqlite")
  private static let highNumber = 9_007_199_254_740_991

  @Test func `an entry follows its snippet to a lower number, and keeps that of a deleted one`()
    async throws
  {
    let store = try await makeStore()
    try store.runWithoutTriggers(
      """
      \(SyncSample.state)
      INSERT INTO snippet (id, kind) VALUES (\(Self.highNumber), 1);
      \(SyncSample.rows)
      INSERT INTO sync_row VALUES (3, zeroblob(16), 1, 1, 0, '{"deleted":1}');
      """
    )

    let report = try await store.repair()

    #expect(report.check.isSound, "\(report.check.problems)")
    #expect(report.repairs.contains("snippet \(Self.highNumber) became snippet 4"))
    let rows = "SELECT id, entry FROM sync_row LEFT JOIN snippet USING (uuid) ORDER BY snippet_id"
    #expect(try await shell(rows) == "1|{}\n2|{}\n|{\"deleted\":1}\n4|{}\n")
    #expect(try await shell("SELECT max(snippet_id) FROM sync_row") == "4\n")
    #expect(try await store.save(SnippetDraft(.text("next"))).id.rawValue == 5)
    try await store.close()
  }

  @Test(arguments: [("digest", "1"), ("NULL", "0")])
  func `an entry is compared again where a snippet gets a revision of its past`(
    digest: String,
    revision: String
  ) async throws {
    let store = try await makeStore()
    try store.runWithoutTriggers(
      """
      \(SyncSample.state) \(SyncSample.rows)
      UPDATE snippet SET revision = \(Self.highNumber), digest = \(digest) WHERE id = 1;
      """
    )

    let report = try await store.repair()

    #expect(report.check.isSound, "\(report.check.problems)")
    #expect(try await shell("SELECT revision FROM snippet WHERE id = 1") == "1\n")
    #expect(
      try await shell("SELECT revision FROM sync_row WHERE snippet_id = 1") == "\(revision)\n"
    )
    try await store.close()
  }

  @Test func `a synchronization goes on after its last log file`() async throws {
    let store = try await makeStore()
    try store.runWithoutTriggers(
      "\(SyncSample.state) INSERT INTO sync_outbox VALUES (2, X'00'), (3, X'00')"
    )

    let report = try await store.repair()

    #expect(report.check.isSound, "\(report.check.problems)")
    #expect(report.repairs == ["the synchronization continues after its last log file"])
    #expect(try await shell("SELECT sealed, sent FROM sync_state") == "3|1\n")
    try await store.close()
  }

  /// A store with two texts.
  private func makeStore() async throws -> SnippetStore {
    let store = try SnippetStore(at: file)
    try await store.save(SnippetDraft(.text("first")))
    try await store.save(SnippetDraft(.text("second")))
    return store
  }

  private func shell(_ sql: String) async throws -> String {
    let output = try await Shell.sqlite3(file, sql)
    try #require(output.status == 0, "\(output)")
    return output.standardOutput
  }
}
