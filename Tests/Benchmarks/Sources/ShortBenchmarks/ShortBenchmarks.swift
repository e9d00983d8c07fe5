import CoreBenchmarks
import Foundation
import SnippetStorage

/// Measures the core against SQLite's C functions, GRDB and plain files, in half a minute.
///
/// It ends with 1 if a ratio exceeds twice its goal, which no noise explains: a machine with other
/// work slows both sides. `Benchmarks` measures all, and for longer.
@main
enum ShortBenchmarks {
  static func main() async throws {
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
    exit(table.unmetCount == 0 ? 0 : 1)
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
