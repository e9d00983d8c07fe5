import Foundation
import SnippetTestSupport
import Testing

/// Capturing standard input, and what a crash leaves of it.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct CaptureCommandTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool.inProcess()
  }

  @Test func `the input becomes a snippet when it ends`() async throws {
    let bytes = Samples.wav(frameCount: 1_000_000)

    let output = try await snip(
      "capture",
      "--title",
      "A thought",
      "--tag",
      "car",
      "--kind",
      "voice",
      input: bytes
    )

    #expect(output == SnipOutput("1\n"))
    let row = try #require(try await snip("list", "--json").json().first)
    #expect(row["title"] == "A thought")
    #expect(row["tags"] == ["car"])
    #expect(row["duration"] == 125)
    #expect(try await snip("cat", "1").bytes == bytes)
    #expect(try await snip("capture", "--list") == SnipOutput())
    #expect(try await snip("check").status == 0)
  }

  // capture          test
  //            ◀─── writes, and keeps the pipe open
  //            ◀─── signal
  // finishes with what came
  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupt finishes with what came`(signal: Int32) async throws {
    let process = try snip.startWaitingForInput(["capture", "--json"])
    // More than a pipe holds: when it is written, the beginning has been read.
    let text = Data(String(repeating: "Said while it ran. ", count: 40_000).utf8)
    try await process.write(text)

    process.send(signal)
    let output = try await process.output()

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    let count = try #require(try output.json("byteCount").first?.integer)
    #expect(count > 0 && count <= text.count)
    #expect(try await snip("cat", "1").bytes == text.prefix(Int(count)))
  }

  // capture          test                other program
  //            ◀─── writes
  //                                      holds the store
  //            ◀─── writes more than it waits for
  //                                      lets go
  //            ◀─── signal
  // finishes with all that it has read
  @Test func `another program that writes for long does not break off a capture`() async throws {
    let bytes = Samples.bytes(5_000_000)
    let process = try snip.startWaitingForInput([
      "capture", "--kind", "voice", "--busy-timeout", "0.05",
    ])
    try await process.write(bytes.prefix(2_000_000))
    let other = try ShellSession(snip.store)
    #expect(try await other.run(".timeout 10000\nBEGIN IMMEDIATE;").isEmpty)
    // More than a pipe holds, so that some of it was read meanwhile.
    try await process.write(bytes.dropFirst(2_000_000))
    #expect(try await other.run("COMMIT;").isEmpty)
    try await other.end()

    process.send(SIGINT)

    #expect(try await process.output() == SnipOutput("1\n"))
    let saved = try await snip("cat", "1").bytes
    #expect(saved.count >= bytes.count - 65_536 && saved == bytes.prefix(saved.count))
  }

  // capture          test
  //            ◀─── writes, and keeps the pipe open
  //                  restores a backup, which is refused
  //            ◀─── signal
  // finishes with what came
  @Test func `a restore does not throw a running capture away`() async throws {
    #expect(try await snip("add", "--text", "old") == SnipOutput("1\n"))
    #expect(try await snip("backup", "copy.sqlite").status == 0)
    let bytes = Samples.bytes(3_000_000)
    let process = try snip.startWaitingForInput(["capture", "--kind", "voice"])
    try await process.write(bytes)

    let refused = try await snip("restore", "copy.sqlite")

    #expect(refused.status == 75 && refused.bytes.isEmpty, "\(refused)")
    let words = refused.standardError
    #expect(words.contains(" is in progress\nhint: Nothing was changed. Finish it, "), "\(words)")
    process.send(SIGINT)
    #expect(try await process.output() == SnipOutput("2\n"))
    let saved = try await snip("cat", "2").bytes
    #expect(saved.count >= bytes.count - 65_536 && saved == bytes.prefix(saved.count))
  }

  // capture          test
  //            ◀─── writes more than a pipe and some chunks hold
  //            ◀─── kill -9
  //                  sees what is left, and recovers it
  @Test func `what was captured before kill -9 is recovered up to its last chunk`() async throws {
    var generator = SeededGenerator()
    for round in 0..<4 {
      let bytes = Samples.wav(frameCount: 3_000_000 + generator.below(1_000_000))
      let store = "round-\(round).sqlite"
      let process = try snip.startWaitingForInput(["capture", "--title", "left", "--store", store])
      try await process.write(bytes)

      process.send(SIGKILL)
      let output = try await process.output()

      #expect(output.status == 137)
      let left = try #require(
        try await snip("capture", "--list", "--json", "--store", store).json().first
      )
      let count = Int(try #require(left["byteCount"]?.integer))
      // A pipe holds 64 KiB, a piece that was read 256 KiB, and what fills no chunk as much.
      #expect(count >= bytes.count - 65_536 - 2 * 262_144, "\(count) of \(bytes.count)")
      #expect(left["inProgress"] == false)
      #expect(left["title"] == "left")
      #expect(try await snip("check", "--store", store).status == 0)
      let info = try await snip("info", "--json", "--store", store).json("captures")
      #expect(info == [1])
      let words = try await snip("info", "--store", store)
      #expect(words.text.contains("1 not finished"))

      #expect(try await snip("capture", "--recover", "--store", store) == SnipOutput("1\n"))
      #expect(try await snip("cat", "1", "--store", store).bytes == bytes.prefix(count))
      #expect(try await snip("capture", "--recover", "--store", store) == SnipOutput())
      #expect(try await snip("check", "--store", store).status == 0)
    }
  }

  @Test func `what is being captured is left alone by others`() async throws {
    let process = try snip.startWaitingForInput(["capture", "--kind", "voice"])
    try await process.write(Samples.bytes(1_000_000))

    let listed = try await snip("capture", "--list", "--json").json("inProgress")
    let recovered = try await snip("capture", "--recover")
    let discarded = try await snip("capture", "--discard", "--json")

    #expect(listed == [true])
    #expect(recovered == SnipOutput())
    #expect(try discarded.json("discarded") == [0])
    process.send(SIGINT)
    #expect(try await process.output() == SnipOutput("1\n"))
  }

  @Test func `what was left can be thrown away`() async throws {
    let process = try snip.startWaitingForInput(["capture"])
    try await process.write(Samples.bytes(1_000_000))
    process.send(SIGKILL)
    _ = try await process.output()

    let recovered = try await snip("capture", "--recover")
    #expect(recovered.status == 1 && recovered.bytes.isEmpty, "\(recovered)")
    let discarded = try await snip("capture", "--discard")
    #expect(discarded == SnipOutput(error: "Discarded 1.\n"))
    #expect(try await snip("capture", "--list") == SnipOutput())
    #expect(try await snip("check").status == 0)
  }

  @Test func `what was left in a form that nobody knows is kept with its kind`() async throws {
    let process = try snip.startWaitingForInput(["capture"])
    try await process.write(Samples.bytes(1_000_000))
    process.send(SIGKILL)
    _ = try await process.output()

    #expect(try await snip("capture", "--recover").status == 1)
    #expect(try await snip("capture", "--list", "--kind", "voice").status == 64)
    #expect(try await snip("capture", "--recover", "--kind", "voice") == SnipOutput("1\n"))
    #expect(try await snip("show", "1").text.contains("voice"))
  }

  @Test func `a capture that is damaged keeps no other from being recovered`() async throws {
    for _ in 0..<2 {
      let process = try snip.startWaitingForInput(["capture", "--kind", "voice"])
      try await process.write(Samples.bytes(2_000_000))
      process.send(SIGKILL)
      _ = try await process.output()
    }
    let damage = try await Shell.sqlite3(
      snip.store,
      """
      CREATE TEMP TABLE kept AS
        SELECT * FROM sqlite_schema WHERE name = 'blob_chunk_before_delete';
      DROP TRIGGER blob_chunk_before_delete;
      DELETE FROM blob_chunk WHERE id = (1 << 20) + 1;
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema SELECT * FROM kept;
      """
    )
    try #require(damage == Shell.Output(standardOutput: ""))

    let output = try await snip("capture", "--recover")

    #expect(output.status == 1 && output.text == "1\n", "\(output)")
    #expect(output.standardError.hasPrefix("snip: could not finish capture 1: the file looks "))
    #expect(output.standardError.contains("could not recover 1 of the captures"), "\(output)")
    #expect(try await snip("capture", "--list").text.hasPrefix("1  left  "))
  }

  @Test func `no input is no snippet`() async throws {
    let output = try await snip("capture")

    #expect(output.status == 65 && output.bytes.isEmpty)
    #expect(output.standardError.hasPrefix("snip: nothing came from standard input\n"))
    #expect(try await snip("capture", "--list") == SnipOutput())
    #expect(try await snip("capture", "--list", "--title", "x").status == 64)
    #expect(try await snip("capture", "--list", "--recover").status == 64)
  }
}
