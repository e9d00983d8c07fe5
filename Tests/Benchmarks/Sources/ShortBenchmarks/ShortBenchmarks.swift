import CoreBenchmarks
import Foundation
import SnippetStorage

/// Measures the core against SQLite's C functions, GRDB and plain files, in half a minute.
///
/// It ends with 1 if a ratio exceeds twice its goal in each of three measurements. A machine with
/// other work slows both sides, but not always both at the same moment: a single measurement of a
/// few microseconds can exceed any bound. `Benchmarks` measures all, and for longer.
@main
enum ShortBenchmarks {
  static func main() async throws {
    var unmet = try await unmetLines()
    for _ in 0..<2 where !unmet.isEmpty { unmet.formIntersection(try await unmetLines()) }
    exit(unmet.isEmpty ? 0 : 1)
  }

  /// Measures all once, and returns the lines that miss their goal.
  private static func unmetLines() async throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let table = Table(tolerance: 2)
    do {
      try await measure(in: folder, into: table)
      try FileManager.default.removeItem(at: folder)
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
    return table.unmetLines
  }

  private static func measure(in folder: URL, into table: Table) async throws {
    let list = try await ListFile(in: folder, rowCount: 100_000)
    let small = try await ListFile(in: folder, rowCount: 1_000)
    try await WindowBenchmarks(file: list).run(into: table)
    try await OpeningBenchmarks(file: list, small: small).run(into: table)
    try await SaveBenchmarks(folder: folder, count: 10_000).run(into: table)
    try await IndexingBenchmarks(folder: folder, textCount: 10_000).run(into: table)
    try await BlobBenchmarks(folder: folder, largest: 10_000_000).run(into: table)
    let store = try await SnippetStore.open(at: folder.appendingPathComponent("bind.sqlite"))
    try await BindBenchmarks(store: store).run(into: table)
    try await store.close()
  }
}
