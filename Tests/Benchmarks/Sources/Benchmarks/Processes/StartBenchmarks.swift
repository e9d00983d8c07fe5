import CoreBenchmarks
import Foundation

/// The processor time of two commands from their start to their end: one that only says its version,
/// and one that shows a few rows.
///
/// The program is that beside this one. Built as it is installed, with Swift's libraries in it, it
/// starts in less than half the time.
struct StartBenchmarks {
  private static let rounds = 40

  let folder: URL

  func run(into table: Table) async throws {
    let file = try await ListFile(in: folder, rowCount: 100)
    let snip = try ChildProcess.snip.path
    let list = ["list", "--limit", "5", "--store", file.url.path]
    var times: (lists: [Duration], versions: [Duration]) = ([], [])
    for _ in 0..<Self.rounds {
      times.lists.append(try ChildProcess.run(snip, list).processorTime)
      times.versions.append(try ChildProcess.run(snip, ["--version"]).processorTime)
    }
    let version = Quantity(times.versions.sorted()[Self.rounds / 2])
    try table.add(
      TableRow(
        "snip list --limit 5, processor time",
        Quantity(times.lists.sorted()[Self.rounds / 2]),
        against: "snip --version",
        version,
        goal: .ratio(atMost: 1.8)
      )
    )
    try table.add(
      TableRow(
        "snip --version, processor time",
        version,
        goal: .atMost(Quantity(.milliseconds(10)))
      )
    )
  }
}
