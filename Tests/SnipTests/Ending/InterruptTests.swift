import Foundation
import SnippetTestSupport
import Testing

/// Ctrl-C and `kill`.
///
/// With `SNIP_LONG_TESTS` set a scroll is interrupted at more moments; the seed chooses them.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct InterruptTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool.inProcess()
  }

  // import           test
  // first batch ───▶ reads a line of it; the pipe is full, the import waits
  //            ◀─── signal
  //            ◀─── reads on; the import goes on, looks, and ends
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `an interrupted import keeps and counts what it reported`(signal: Int32) async throws {
    var generator = SeededGenerator()
    let files = try ManyFiles(
      in: TemporaryDirectory.file("files"),
      count: 1200,
      generator: &generator
    )
    let process = try snip.start(["import", "--json", "files"])
    #expect(try await process.firstLines(1).count == 1)

    process.send(signal)
    let output = try await process.output()

    #expect(output.status == 130, "\(output)")
    #expect(
      output.standardError == """
        snip: interrupted
        hint: Everything counted above is kept. Run it again to import the rest.

        """
    )
    let lines = try output.json()
    let ids = lines.compactMap { $0["id"]?.integer }
    #expect(!ids.isEmpty && ids.count < 1200)
    #expect(lines.last?["imported"] == .integer(Int64(ids.count)))
    #expect(try await snip("list", "--json", "--limit", "0").json("id").count == ids.count)
    #expect(try await snip("check").status == 0)
    let rest = try await snip("import", "--json", "files").json().last
    #expect(rest?["imported"] == .integer(Int64(files.contents.count - ids.count)))
    #expect(rest?["unchanged"] == .integer(Int64(ids.count)))
  }

  // The pipe of its lines is full, so the export waits when the signal comes.
  @Test func `an interrupted export has no manifest and says so`() async throws {
    try await SampleLibrary.make(textCount: 3_000)
    let process = try snip.start(["export", "--json", "out"])
    #expect(try await process.firstLines(1).count == 1)

    process.send(SIGINT)
    let output = try await process.output()

    #expect(output.status == 130)
    #expect(output.standardError.contains("is not complete and has no manifest."), "\(output)")
    let manifest = TemporaryDirectory.file("out/manifest.jsonl")
    #expect(!FileManager.default.fileExists(atPath: manifest.path))
  }

  @Test func `the second signal ends it at once`() async throws {
    var generator = SeededGenerator()
    _ = try ManyFiles(in: TemporaryDirectory.file("files"), count: 1200, generator: &generator)
    let process = try snip.start(["import", "--json", "files"])
    _ = try await process.firstLines(1)

    // Of one kind, two could arrive as one.
    process.send(SIGINT)
    process.send(SIGTERM)
    await process.end()

    let output = try await process.output()
    #expect(output.status == 130)
    #expect(output.standardError.isEmpty && !output.text.contains("\"imported\":"), "\(output)")
    #expect(try await snip("check").status == 0)
  }

  @Test(arguments: [["add", "--stdin"], ["edit", "1", "--stdin"]])
  func `what waits for input ends at the first signal`(arguments: [String]) async throws {
    try await SampleLibrary.make()
    let list = try await snip("list")
    let process = try snip.startWaitingForInput(arguments)
    // More than a pipe holds: when it is written, the program is reading.
    try await process.write(Data(repeating: UInt8(ascii: "a"), count: 1 << 20))

    process.send(SIGINT)
    let output = try await process.output()

    #expect(output == SnipOutput(status: 130))
    #expect(try await snip("list") == list)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporaryFiles).isEmpty)
  }

  // The end of a terminal comes from the system, and again from the shell.
  @Test func `a restore of a stream whose terminal goes away leaves no copy behind`() async throws {
    try await SampleLibrary.make()
    let process = try snip.startWaitingForInput(["restore", "-", "--yes"])
    // More than a pipe holds: when it is written, a part of it is in the copy.
    try await process.write(Data(repeating: UInt8(ascii: "a"), count: 1 << 20))
    #expect(try filesBesideStore().contains { $0.contains(".partial-") })

    process.send(SIGHUP)
    process.send(SIGHUP)
    let output = try await process.output()

    #expect(output.status == 130, "\(output)")
    #expect(try !filesBesideStore().contains { $0.contains(".partial-") })
    #expect(try await snip("check").status == 0)
  }

  private func filesBesideStore() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: snip.folder.path)
  }

  @Test func `what waits for another program ends at the first signal`() async throws {
    try await SampleLibrary.make()
    let other = try ShellSession(snip.store)
    _ = try await other.run("BEGIN IMMEDIATE;")
    let process = try snip.start(["rm", "1", "--busy-timeout", "50"])
    // Before that, the signal would end any program.
    try await until("it has the store", within: .seconds(120)) {
      process.hasEnded || process.hasOpened(snip.store)
    }

    process.send(SIGINT)

    #expect(try await process.output() == SnipOutput(status: 130))
    try await other.end()
    #expect(try await snip("show", "1").status == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `what waits for the reader of a pipe ends at the first signal`(signal: Int32) async throws {
    try await SampleLibrary.make()
    #expect(mkfifo(TemporaryDirectory.file("pipe").path, 0o600) == 0)
    let process = try snip.start(["cat", "1", "-o", "pipe"])
    try await until("it has the store", within: .seconds(120)) {
      process.hasEnded || process.hasOpened(snip.store)
    }

    process.send(signal)

    #expect(try await process.output() == SnipOutput(status: 130))
  }

  @Test(arguments: LongTests.isOn ? 0..<20 : 0..<2)
  func `a scroll leaves nothing behind`(round: Int) async throws {
    var generator = SeededGenerator(seed: SeededGenerator.runSeed &+ UInt64(round))
    let process = try snip.start(["scroll", "--rows", "20000", "--frames", "100000"])

    try await Task.sleep(for: .milliseconds(generator.below(1500)))
    process.send(SIGINT)

    let output = try await process.output()
    #expect(output.status == 130 && output.bytes.isEmpty, "\(output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporaryFiles).isEmpty)
  }

  private var temporaryFiles: String { TemporaryDirectory.file("tmp").path }
}
