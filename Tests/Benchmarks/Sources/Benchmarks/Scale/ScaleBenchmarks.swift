import CoreBenchmarks
import Foundation
import SnippetStorage

/// The work of a whole store that grows with its rows: the file, the index, a check and a backup.
struct ScaleBenchmarks {
  let file: ListFile

  private let clock = ContinuousClock()

  init(file: ListFile) {
    self.file = file
  }

  func run(into table: Table) async throws {
    let total = file.rowCount.formatted(.number.locale(Locale(identifier: "en")))
    try table.add(size("a file of \(total) rows, each"))
    let store = try await file.open()
    for row in try await lines("index \(total) texts", { try await store.updateSearchIndex() }) {
      try table.add(row)
    }
    try table.add(size("the same with the search index, each"))
    try await table.add(firstPage(of: store, "first 50 of a word in all \(total)"))
    try await table.add(oneEdit(of: store, "edit one of \(total)"))
    for row in try await lines("check \(total) rows", { _ = try await store.check() }) {
      try table.add(row)
    }
    let copy = file.url.deletingLastPathComponent().appendingPathComponent("copy.sqlite")
    for row in try await lines("back up \(total) rows", { _ = try await store.backUp(to: copy) }) {
      try table.add(row)
    }
    try await store.close()
    try FileManager.default.removeItem(at: copy)
  }

  private func size(_ work: String) throws -> TableRow {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.url.path)
    let byteCount = (attributes[.size] as? Double) ?? 0
    return TableRow(work, Quantity(byteCount / Double(file.rowCount), .bytes), goal: .none)
  }

  /// Lines with the time of some work and with the memory that it takes at most.
  private func lines(_ work: String, _ body: () async throws -> Void) async throws -> [TableRow] {
    let former = ResidentMemory.restart()
    let time = try await clock.measure { try await body() }
    let memory = max(0, ResidentMemory.peak - former)
    return [
      TableRow(work, Quantity(time), goal: .none),
      TableRow("\(work), memory", Quantity(memory, .bytes), goal: .none),
    ]
  }

  private func firstPage(of store: SnippetStore, _ work: String) async throws -> TableRow {
    var times: [Duration] = []
    for _ in 0..<20 {
      let start = clock.now
      let results = try await store.search(SearchQuery("row"))
      guard try results.rows(in: 0..<50).count == 50 else { throw RawError(message: "no rows") }
      times.append(start.duration(to: clock.now))
      results.cancel()
    }
    return TableRow(
      work,
      Quantity(times.sorted()[times.count / 2]),
      goal: .atMost(Quantity(.milliseconds(10)))
    )
  }

  private func oneEdit(of store: SnippetStore, _ work: String) async throws -> TableRow {
    var times: [Duration] = []
    for round in 0..<50 {
      let id = SnippetID(rawValue: Int64(1 + round * 104_729 % file.rowCount))
      times.append(
        try await clock.measure {
          _ = try await store.apply(SnippetEdit(title: "Row \(-round)"), to: id)
        }
      )
    }
    return TableRow(work, Quantity(times.sorted()[times.count / 2]), goal: .none)
  }
}
