import Foundation
import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ScrollTraceTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  private func recording(_ name: String) async throws -> LoaderRecording {
    try await LoaderRecording.read(from: TemporaryDirectory.file(name))
  }

  @Test func `a trace tells what the report counts`() async throws {
    let report = try await snip.scroll("--rows 500 --frames 60 --pattern jump --trace run.jsonl")
    let actions = try await recording("run.jsonl").events.map(\.action)

    func count(_ isCounted: (LoaderEvent.Action) -> Bool) -> Int64 {
      Int64(actions.count(where: isCounted))
    }
    #expect(report["hits"]?.integer == count { if case .hit = $0 { true } else { false } })
    #expect(report["misses"]?.integer == count { if case .pending = $0 { true } else { false } })
    #expect(report["loads"]?.integer == count { if case .loadStarted = $0 { true } else { false } })
    #expect(report["frames"] == 60)
    #expect(count { if case .viewportMoved = $0 { true } else { false } } == 60)
    let reads = count { if case .rowsRead(_, false, 500) = $0 { true } else { false } }
    #expect(report["rowReads"]?.integer == reads)
    #expect(report["boundCells"] == 12)
  }

  @Test func `the same seed moves the same way`() async throws {
    // Not how many rows were read: that depends on how busy the machine is.
    func movement(_ seed: String, _ name: String) async throws -> [LoaderEvent.Action] {
      let report = try await snip.scroll(
        "--rows 500 --frames 60 --pattern jump --seed \(seed) --trace \(name)"
      )
      #expect(report["seed"] == .string(seed))
      return try await recording(name).events.map(\.action).filter {
        if case .viewportMoved = $0 { true } else { false }
      }
    }

    let first = try await movement("3", "first.jsonl")

    #expect(first.count == 60)
    #expect(try await movement("3", "again.jsonl") == first)
    #expect(try await movement("4", "other.jsonl") != first)
  }

  @Test(arguments: ["fling", "jump"])
  func `a replay moves as recorded, whatever else is asked for`(pattern: String) async throws {
    let first = try await snip.scroll(
      "--rows 800 --frames 50 --viewport 7 --pattern \(pattern) --trace first.jsonl"
    )
    let again = try await snip.scroll(
      "--rows 800 --frames 9 --replay first.jsonl --trace again.jsonl"
    )

    let (former, later) = (
      ScrollReplay(try await recording("first.jsonl")),
      ScrollReplay(try await recording("again.jsonl"))
    )
    #expect(former.frames.map(\.visible) == later.frames.map(\.visible))
    #expect(former.frames.count == 50 && former.rowCount == 800)
    #expect(again["pattern"] == "recorded")
    for name in ["frames", "viewport", "cellsCreated", "cellsReused"] {
      #expect(again[name] == first[name], "\(name)")
    }
    #expect(again["wrongDeliveries"] == 0 && again["unresolved"] == 0)
  }

  @Test func `a replay over a shorter list shows what there is`() async throws {
    _ = try await snip.scroll("--rows 400 --frames 30 --pattern jump --trace t")

    let report = try await snip.scroll("--rows 5 --replay t")

    #expect(report["rows"] == 5)
    #expect(report["wrongDeliveries"] == 0)
  }

  @Test func `a replay is read from a pipe as well`() async throws {
    _ = try await snip.scroll("--rows 40 --frames 5 --trace t")

    let output = try await snip.shell("cat t | snip scroll --rows 40 --replay /dev/stdin")

    #expect(output.status == 0, "\(output)")
    #expect(output.lines.first == "scrolled  40 rows, 12 visible, 5 frames as recorded")
  }

  @Test func `a trace replaces a file only when it is complete`() async throws {
    try snip.write(Data("precious".utf8), "trace")

    let output = try await snip(
      "scroll",
      "--rows",
      "10",
      "--frames",
      "2",
      "--trace",
      "trace",
      "--replay",
      "trace"
    )

    #expect(output.status == 65, "\(output)")
    #expect(try Data(contentsOf: TemporaryDirectory.file("trace")) == Data("precious".utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: snip.folder.path)
    #expect(!names.contains { $0.contains("partial") }, "\(names)")
  }

  @Test func `what is wrong in a trace is told with its line`() async throws {
    let lines = """
      {"format":"snippet-loader-events","lost":0,"version":1}
      {"at":0,"event":"viewportMoved","from":0,"to":12}
      {"at":0,"event":"viewportMoved","from":0}
      """
    try snip.write(Data(lines.utf8), "wrong")

    let output = try await snip("scroll", "--rows", "10", "--replay", "wrong")

    #expect(output.status == 65 && output.bytes.isEmpty)
    #expect(
      output.standardError.hasPrefix("snip: could not replay wrong: line 3 has no field “to”\n"),
      "\(output)"
    )
  }

  @Test(arguments: ["", "\n{\"at\":0,\"event\":\"viewportMoved\",\"from\":0,\"to\":99999}"])
  func `a trace without a movement that can be made is refused`(line: String) async throws {
    let head = #"{"format":"snippet-loader-events","lost":0,"version":1}"#
    try snip.write(Data((head + line).utf8), "still")

    let output = try await snip("scroll", "--rows", "10", "--replay", "still")

    #expect(output.status == 65, "\(output)")
    #expect(output.standardError.contains(line.isEmpty ? "nothing moves" : "more than 1000"))
  }

  @Test func `a recorded pause does not keep the program from ending`() async throws {
    let lines = """
      {"format":"snippet-loader-events","lost":0,"version":1}
      {"at":0,"event":"viewportMoved","from":0,"to":12}
      {"at":9000000000000000000,"event":"viewportMoved","from":0,"to":12}
      """
    try snip.write(Data(lines.utf8), "long")
    let process = try snip.start(["scroll", "--rows", "10", "--replay", "long", "--trace", "x"])

    process.send(SIGINT)

    #expect(try await process.output().status == 130)
    let names = try FileManager.default.contentsOfDirectory(atPath: snip.folder.path)
    #expect(!names.contains { $0.hasPrefix("x") }, "\(names)")
  }

  @Test func `people see how often rows were read on the main thread and how the cache did`()
    async throws
  {
    let output = try await snip("scroll", "--rows", "300", "--frames", "30")

    #expect(output.status == 0)
    #expect(output.lines[1].contains(#/ read, \d+ times on the main thread, \d+ times ahead$/#))
    #expect(
      output.lines.contains { $0.hasPrefix("cache     hit ratio 0.") && $0.contains(" possible") },
      "\(output)"
    )
    #expect(output.text.contains("put off and tried again"))
  }
}
