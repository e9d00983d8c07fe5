import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import snip

/// With `SNIP_LONG_TESTS` set, every seed scrolls with every cache; otherwise the seed of the run
/// draws some.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct ScrollCommandTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  private static let scrolls = {
    var generator = SeededGenerator()
    return ["0", "1", "64"].flatMap { megabytes in
      ["1", "3", "7", "11"].share(1, using: &generator).map { ($0, megabytes) }
    }
  }()

  @Test(arguments: scrolls)
  func `no cell ever shows what is not its own`(seed: String, megabytes: String) async throws {
    let report = try await snip.scroll(
      "--rows 240 --frames 40 --cache-mb \(megabytes) --seed \(seed)"
    )

    #expect(report["wrongDeliveries"] == 0)
    #expect(report["unresolved"] == 0)
    #expect(report["loadsFailed"] == 0)
    #expect(report["rows"] == 240)
    #expect(report["seed"] == .string(seed))
    let cached = try #require(report["cacheBytes"]?.integer)
    #expect(cached <= Int64(megabytes).map { $0 << 20 } ?? 0)
  }

  @Test func `the same seed moves the same way, within the list`() {
    func positions(seed: UInt64, rowCount: Int = 500) -> [Int] {
      let movement = ScrollMovement(seed: seed, viewport: 12, frameCount: 600)
      return Array(ScrollPositions(of: movement, rowCount: rowCount))
    }

    let first = positions(seed: 3)

    #expect(first.count == 600 && first[0] == 0 && Set(first).count > 10)
    #expect(first.allSatisfy { (0...488).contains($0) })
    #expect(positions(seed: 3) == first)
    #expect(positions(seed: 4) != first)
    #expect(Set(positions(seed: 3, rowCount: 5)) == [0])
  }

  @Test func `a generated store leaves nothing behind and is beside the user's own`() async throws {
    let report = try await snip.scroll("--rows 2000 --frames 20 --viewport 40")

    #expect(report["rows"] == 2000)
    #expect(report["wrongDeliveries"] == 0)
    let temporary = TemporaryDirectory.file("tmp").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: snip.store.path))
  }

  @Test func `blobs of any size take no more memory than the cache and what stands beside it`()
    async throws
  {
    func peak(_ megabytes: String) async throws -> Int64 {
      let report = try await snip.scroll(
        "--rows 400 --blob-mb \(megabytes) --cache-mb 4 --frames 240"
      )
      #expect(report["wrongDeliveries"] == 0 && report["unresolved"] == 0)
      #expect(report["memoryLimitBytes"]?.integer == 52 << 20)
      // Otherwise nothing would have been evicted.
      #expect(try #require(report["bytesLoaded"]?.integer) > 4 << 20)
      let peak = try #require(report["peakMemoryBytes"]?.integer)
      let before = try #require(report["memoryBeforeBytes"]?.integer)
      // The program itself is no part of it: built for debugging it is larger.
      #expect(before > 0 && peak - before <= 52 << 20, "\(before), \(peak)")
      return peak
    }

    let (small, large) = (try await peak("40"), try await peak("240"))

    print("peak memory: \(small) with 40 MB of blobs, \(large) with 240 MB")
    #expect(large - small < 32 << 20)
  }

  @Test(arguments: [["--blob-mb", "10"], ["--rows", "10", "--blob-mb", "0"]])
  func `a size of blobs that cannot be is refused`(options: [String]) async throws {
    let output = try await snip.run(["scroll"] + options)

    #expect(output.status == 64)
    #expect(output.standardError.contains("--blob-mb must be from 1 to 1000000, with --rows\n"))
  }

  @Test func `a list shorter than the screen is shown whole`() async throws {
    try await SampleLibrary.make()

    let report = try await snip.scroll("--viewport 100 --frames 10")

    #expect(report["rows"] == 5)
    #expect(report["cellsCreated"] == 5)
    #expect(report["wrongDeliveries"] == 0)
    #expect(report["unresolved"] == 0)
  }

  @Test func `an empty list scrolls nowhere`() async throws {
    try await TemporaryStore.open().close()

    let report = try await snip.scroll("--frames 5")

    #expect(report["rows"] == 0)
    #expect(report["cellsCreated"] == 0)
    #expect(report["loads"] == 0)
  }

  @Test func `people get a line for each matter`() async throws {
    try await SampleLibrary.make()

    let output = try await snip("scroll", "--frames", "5", "--viewport", "3")

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    let names = output.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(
      names == [
        "scrolled", "rows", "cells", "blobs", "loads", "delivered", "step", "memory",
      ]
    )
    #expect(output.lines[0] == "scrolled  5 rows, 3 visible, 5 frames, seed 1")
    #expect(output.lines[1].contains(#/ read, \d+ times? on the main thread, \d+ times? ahead$/#))
    #expect(output.text.contains("put off and tried again"))
    #expect(output.text.contains("wrong deliveries 0; unresolved at rest 0"), "\(output)")
  }

  @Test func `a single read is counted in the singular`() {
    let movement = ScrollMovement(seed: 1, viewport: 3, frameCount: 5)
    var report = ScrollReport(movement: movement, memoryBefore: nil)
    report.counters.rowsRead = 3
    report.counters.rowReads = 1
    report.counters.rowReadsAhead = 2

    let texts = report.lines.map { $0.text }

    #expect(texts.contains("3 read, 1 time on the main thread, 2 times ahead"), "\(texts)")
  }

  @Test func `a terminal sees how far it has come`() async throws {
    try await SampleLibrary.make()

    let output = try await snip.onTerminal("scroll", "--frames", "40")

    #expect(output.status == 0)
    #expect(output.text.contains("\rScrolling ["), "\(output)")
  }
}

extension SnipTool {
  /// Runs `snip scroll` with options parted by blanks, and returns its report.
  func scroll(_ options: String) async throws -> ParsedJSON {
    let words = options.split(separator: " ").map(String.init)
    let output = try await run(["scroll", "--json"] + words)
    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    return try #require(try output.json().first)
  }
}
