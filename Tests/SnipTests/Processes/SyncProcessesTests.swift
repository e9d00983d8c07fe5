import Foundation
import SnippetStorage
import SnippetSync
import SnippetTestSupport
import SnippetTesting
import Testing

/// Living processes that synchronize one store.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SyncProcessesTests {
  private let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  private func join(adding count: Int) async throws {
    _ = try await snip("add", "first")
    let output = try await snip("sync", "join", "meeting", "--name", "laptop")
    #expect(output.status == 0, "\(output)")
    _ = try await Shell.sqlite3(
      snip.store,
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO snippets (body) SELECT 'text ' || i FROM n
      """
    )
  }

  /// Requires that one device has sent so many entries, and that nothing is missing there.
  private func requireOneLog(of count: Int) async throws {
    let check = try await snip("sync", "check", "--read", "--json")
    #expect(check.status == 0, "\(check)")
    #expect(try check.json("entries") == [.integer(Int64(count))])
    #expect(try await snip("sync", "devices", "--json").lines.count == 1)
    #expect(try await snip("sync").text == "Up to date.\n")
    #expect(try await snip("check").status == 0)
  }

  @Test func `while one process synchronizes, another waits or is turned away`() async throws {
    try await join(adding: 1)
    let key = try await snip("sync", "key").text
    let store = try SnippetStore(at: snip.store)
    let carrier = HeldCarrier(FolderCarrier(snip.folder.appendingPathComponent("meeting")))
    let sync = try await StoreSync(store, by: carrier, key: key.trimmingCharacters(in: .newlines))
    let running = Task { try await sync.synchronize() }
    await carrier.isAsked.untilOpen()

    for arguments in [["sync"], ["sync", "leave"], ["sync", "check", "--repair"]] {
      let refused = try await snip.run(arguments + ["--busy-timeout", "0"])
      #expect(refused.status == 75, "\(refused)")
      #expect(refused.standardError.contains("another program synchronizes the store"))
    }
    let waiting = try snip.start(["sync", "--json"])
    carrier.mayAnswer.open()

    let sent = [
      try await running.value.sentCount,
      try await waiting.output().json("sent").compactMap(\.integer).map(Int.init).reduce(0, +),
    ]
    #expect(sent.reduce(0, +) == 1, "\(sent)")
    try await store.close()
    try await requireOneLog(of: 2)
  }

  @Test func `of several processes at once, each entry is sent by one`() async throws {
    try await join(adding: 300)

    let processes = try (0..<4).map { _ in try snip.start(["sync", "--json"]) }

    var sent = 0
    for process in processes {
      let output = try await process.output()
      #expect(output.status == 0, "\(output)")
      sent += try output.json("sent").compactMap(\.integer).map(Int.init).reduce(0, +)
    }
    #expect(sent == 300)
    try await requireOneLog(of: 301)
  }

  @Test func `a watch and single synchronizations take turns`() async throws {
    try await join(adding: 20)
    let watch = try snip.start(["sync", "--watch"])
    try await watch.killed {
      #expect(try await watch.firstLines(1) == ["Sent 20 snippets"])
      for number in 1...5 {
        _ = try await snip("add", "more \(number)")
        let output = try await snip("sync")
        #expect(output.status == 0, "\(output)")
      }
    }
    #expect(try await snip("sync").status == 0)
    try await requireOneLog(of: 26)
  }

  @Test func `a watch for programs prints nothing but its reports`() async throws {
    try await join(adding: 1)
    let watch = try snip.start(["sync", "--watch", "--json"])

    let lines = try await watch.killed {
      _ = try await watch.firstLines(1)
      _ = try await snip("add", "more")
      return try await watch.firstLines(2)
    }

    #expect(lines.count == 2 && lines.allSatisfy { $0.contains(#""sent":1,"#) }, "\(lines)")
    #expect(try await watch.output().standardError.isEmpty)
  }

  @Test func `a watch ends before much goes; with --yes it goes on`() async throws {
    try await join(adding: 60)
    let phone = snip.with(["SNIP_STORE": snip.folder.appendingPathComponent("phone.sqlite").path])
    _ = try await snip("sync")
    let joined = try await phone("sync", "join", "meeting", "--name", "phone")
    #expect(joined.text == "Received 61 snippets\n", "\(joined)")
    _ = try await Shell.sqlite3(snip.store, "DELETE FROM snippets")
    _ = try await snip("sync")

    let refused = try await phone("sync", "--watch")
    let watch = try phone.start(["sync", "--watch", "--yes"])

    #expect(refused.status == 1, "\(refused)")
    #expect(refused.standardError.contains("61 of 61 snippets would be deleted"), "\(refused)")
    try await watch.killed {
      #expect(try await watch.firstLines(1) == ["Removed 61 snippets"])
      _ = try await snip("add", "more")
      _ = try await snip("sync")
      _ = try await phone("add", "of the phone")
      let lines = try await watch.firstLines(3)
      #expect(lines.dropFirst() == ["Received 1 snippet", "Sent 1 snippet"])
    }
  }

  @Test func `a process that is killed leaves the turn to the next`() async throws {
    try await join(adding: 300)
    let turn = "\(snip.store.path)-sync"
    for _ in 0..<3 {
      let process = try snip.start(["sync"])
      // The later ones find the file of the first, and are killed before their turn.
      try await until("it has its turn", within: .seconds(120)) {
        process.hasEnded || FileManager.default.fileExists(atPath: turn)
      }
      process.send(SIGKILL)
      await process.end()
    }

    let output = try await snip("sync", "--busy-timeout", "0")

    #expect(output.status == 0, "\(output)")
    try await requireOneLog(of: 301)
  }
}
