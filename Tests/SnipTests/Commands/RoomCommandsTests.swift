import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// `purge`, `gc`, and what `info` tells of the room.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct RoomCommandsTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
  }

  @Test func `a purge ends what is in the trash, and nothing of it is left`() async throws {
    #expect(try await marks() > 0)
    _ = try await snip("rm", "2", "4")

    let output = try await snip("purge")

    #expect(output == SnipOutput(error: "Deleted 2 for good.\n"))
    #expect(try await marks() == 0)
    #expect(try await snip("list", "--trash", "--json").lines.isEmpty)
    #expect(try await snip("list", "--json").json("id") == [5, 3, 1])
    #expect(try await snip("check").status == 0)
    #expect(try await snip("undelete", "2").status == 2)
  }

  @Test func `only what has been in the trash for long enough is purged`() async throws {
    _ = try await snip("rm", "2", "4")
    let day = 86_400_000
    _ = try await Shell.sqlite3(
      snip.store,
      "UPDATE snippet SET deleted_at = deleted_at - 31 * \(day) WHERE id = 4"
    )

    let none = try await snip("purge", "--older-than", "5w", "--quick")
    let one = try await snip("purge", "--older-than", "30d", "--json")

    #expect(
      none
        == SnipOutput(
          error: """
            Deleted 0 for good.
            Remains of titles and short texts may be left; without --quick nothing is.

            """
        )
    )
    let complete = """
      "complete":true,"remainingLogBytes":0,"remainingCopies":0,"folderListed":true,"keptTexts":0
      """
    #expect(one == SnipOutput("{\"deleted\":1,\(complete)}\n"))
    #expect(try await snip("list", "--trash", "--json").json("id") == [2])
  }

  @Test(arguments: ["30", "d", "-1d", "30y", "1.5d", "9999999w", ""])
  func `an age that means nothing is refused`(age: String) async throws {
    let output = try await snip("purge", "--older-than=\(age)")

    #expect(output.status == 64 && output.bytes.isEmpty, "\(output)")
  }

  // shell                  purge
  // reads an old state ──▶ cannot empty the log
  @Test func `a purge that another program is in the way of says so`() async throws {
    let shell = try ShellSession(snip.store)
    _ = try await shell.run("BEGIN; SELECT count(*) FROM snippet;")
    _ = try await snip("rm", "2")

    let output = try await snip("purge", "--json")

    #expect(output.status == 75)
    #expect(try output.json("complete") == [false])
    #expect(output.standardError.contains("could not empty the log"), "\(output)")
    #expect(output.standardError.hasSuffix("hint: Run it again once that program is done.\n"))
    try await shell.end()
    #expect(try await snip("purge").status == 0)
  }

  // Litestream keeps a transaction open for as long as it runs.
  @Test func `a purge beside a replication says how to go on`() async throws {
    let table = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)"
    #expect(try await Shell.sqlite3(snip.store, table).status == 0)
    let shell = try ShellSession(snip.store)
    _ = try await shell.run("BEGIN; SELECT count(*) FROM snippet;")
    _ = try await snip("rm", "2")

    let held = try await snip("purge")
    try await shell.end()
    let done = try await snip("purge")

    #expect(held.status == 75)
    #expect(
      held.standardError.contains("which may hold deleted content: another program holds it")
    )
    #expect(
      held.standardError.hasSuffix(
        """
        hint: The table _litestream_seq tells that it may be Litestream, which holds the log for as \
        long as it runs, and whose replica keeps what was purged.
        hint: Stop the replication, purge again, delete the replica, and start the replication.

        """
      ),
      "\(held)"
    )
    #expect(done.status == 0)
    #expect(done.standardError.contains("its replica keeps what was purged"), "\(done)")
  }

  @Test func `free room goes back to the file system`() async throws {
    let before = try size()
    let store = try SnippetStore(at: snip.store)
    let rows = try await (0..<3 as Range<UInt64>).asyncMap { seed in
      try await store.save(Samples.image(Samples.bytes(1_000_000, seed: seed)))
    }
    try await store.delete(rows.map(\.id))
    try await store.close()
    #expect(try size() > before + 2_900_000)

    let output = try await snip("gc")

    #expect(output.status == 0 && output.standardError.isEmpty)
    #expect(output.lines.first == "nothing was left behind")
    #expect(output.lines.last?.hasSuffix(" MB went back to the file system") == true)
    #expect(try size() <= before + 100_000)
  }

  @Test func `what was left behind is removed and reported`() async throws {
    _ = try await Shell.sqlite3(
      snip.store,
      "INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (zeroblob(32), 1, 1)"
    )

    let output = try await snip("gc")

    #expect(output.lines.first == "removed leftovers: 1 blob", "\(output)")
    #expect(try await snip("check").status == 0)
  }

  @Test func `what takes up the room is told by part, and by kind, tag or month`() async throws {
    let parts = try await info()
    let byTag = try await info("--by", "tag")
    let byMonth = try await info("--by", "month")

    let names = parts.prefix(10).map { $0.prefix { $0 != "\u{20}" } }
    #expect(
      names == [
        "PART", "originals", "derivatives", "texts", "search", "indexes", "rows", "free", "file",
        "log",
      ]
    )
    #expect(parts.suffix(5).first?.hasPrefix("KIND") == true, "\(parts)")
    #expect(parts.last?.hasPrefix("(trash)") == true)
    #expect(
      byTag.suffix(5).map { $0.prefix { $0 != "\u{20}" } } == [
        "TAG", "holiday", "Home", "shopping", "(trash)",
      ]
    )
    #expect(
      byMonth.suffix(3).map { $0.prefix { $0 != "\u{20}" } } == [
        "MONTH", "2026-01", "(trash)",
      ]
    )
  }

  /// The tables of `snip info`, without the lines above them.
  private func info(_ options: String...) async throws -> [String] {
    let output = try await snip.run(["info"] + options)
    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    return Array(output.lines.drop { !$0.isEmpty }.dropFirst())
  }

  @Test func `the parts in JSON add up to the file`() async throws {
    let use = try #require(try await snip("info", "--json").json("storageUse").first)

    let parts = ["originals", "derivatives", "texts", "searchIndex", "indexes", "rows", "free"]
    let sum = parts.compactMap { use[$0]?.integer }.reduce(0, +)
    #expect(use["file"]?.integer == sum)
    #expect(try size() == sum)
  }

  /// How often the title of snippet 2 and the text of snippet 4 stand in the file or its log.
  private func marks() async throws -> Int {
    var count = 0
    for suffix in ["", "-wal"] {
      let path = snip.store.path + suffix
      guard FileManager.default.fileExists(atPath: path) else { continue }
      let output = try await Shell.run("grep", ["-aciE", "harbour|holiday|é long text", path])
      count += Int(output.standardOutput.dropLast()) ?? 0
    }
    return count
  }

  private func size() throws -> Int64 {
    let attributes = try FileManager.default.attributesOfItem(atPath: snip.store.path)
    return (attributes[.size] as? Int64) ?? 0
  }
}
