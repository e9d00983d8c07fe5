import Foundation
import SnippetTesting

/// What the loader's cache finds of what lists look up, against the best possible choice.
struct HitRatioStudy {
  /// One trace with caches of several sizes.
  private struct Row {
    let line: String
    let json: String
  }

  private struct Cell {
    var ours = CacheReplay.HitRatios()
    var best = CacheReplay.HitRatios()

    /// Both sides by bytes, for which the best choice is known whatever the sizes.
    var share: Double? { best.bytes > 0 ? ours.bytes / best.bytes : nil }
  }

  private static let viewports = [3, 10, 30, 100]
  private static let seeds: [UInt64] = [1, 2, 3]
  private static let accessCount = 30_000

  /// Prints what came of each trace and each size of the cache.
  func tellDetails(to table: Table) {
    for sizes in CacheTrace.Sizes.allCases {
      let title = Row(
        line: "hit ratios, \(sizes) sizes: by number | by bytes, best by bytes (share), "
          + "for \(Self.viewports) viewports",
        json: #"{"work":"hit ratios","sizes":"\#(sizes)","seeds":\#(Self.seeds)}"#
      )
      table.tell(table.json ? title.json : title.line)
      for trace in CacheTrace.allCases {
        let row = row(trace.description, sizes, cells(of: trace, sizes))
        table.tell(table.json ? row.json : row.line)
      }
    }
  }

  /// Adds the mean over all of them.
  func run(into table: Table) throws {
    for sizes in CacheTrace.Sizes.allCases {
      table.begin("ratios: \(sizes) sizes")
      let movements = CacheTrace.allCases.filter { $0 != .recorded(.jump) }
      try table.add(
        row(
          "hits of the cache by bytes, \(sizes) sizes",
          of: movements,
          sizes,
          goal: .atLeast(Quantity(0.92, .share))
        )
      )
      // Where a leap to any place goes is known to nobody but the best choice.
      try table.add(row("the same for leaps", of: [.recorded(.jump)], sizes, goal: .none))
    }
  }

  private func row(
    _ work: String,
    of traces: [CacheTrace],
    _ sizes: CacheTrace.Sizes,
    goal: Goal
  ) -> TableRow {
    let shares = traces.flatMap { cells(of: $0, sizes) }.compactMap(\.share)
    return TableRow(
      work,
      Quantity(shares.reduce(0, +) / Double(shares.count), .share),
      against: "the best possible choice",
      Quantity(1, .share),
      goal: goal
    )
  }

  private func cells(of trace: CacheTrace, _ sizes: CacheTrace.Sizes) -> [Cell] {
    var cells = Self.viewports.map { _ in Cell() }
    let weight = 1 / Double(Self.seeds.count)
    for seed in Self.seeds {
      let replay = CacheReplay(
        trace.accesses(count: Self.accessCount, seed: seed, sizes: sizes)
      )
      for (index, viewports) in Self.viewports.enumerated() {
        let limit = viewports * CacheTrace.viewport * sizes.meanCost
        let (ours, best) = (
          replay.ratios(byteLimit: limit), replay.bestRatios(byteLimit: limit)
        )
        cells[index].ours.objects += weight * ours.objects
        cells[index].ours.bytes += weight * ours.bytes
        cells[index].best.objects += weight * best.objects
        cells[index].best.bytes += weight * best.bytes
      }
    }
    return cells
  }

  private func row(_ name: String, _ sizes: CacheTrace.Sizes, _ cells: [Cell]) -> Row {
    let padded = name + String(repeating: " ", count: max(0, 18 - name.count))
    let fields = cells.map { cell in
      String(
        format: "%.3f | %.3f, %.3f ",
        cell.ours.objects,
        cell.ours.bytes,
        cell.best.bytes
      ) + (cell.share.map { String(format: "(%.2f)", $0) } ?? "(–)   ")
    }
    let values = cells.map { cell in
      """
      {"objects":\(cell.ours.objects),"bytes":\(cell.ours.bytes),"bestBytes":\(cell.best.bytes)}
      """
    }
    return Row(
      line: padded + fields.joined(separator: "   "),
      json: """
        {"trace":"\(name)","sizes":"\(sizes)","viewports":\(Self.viewports),\
        "ratios":[\(values.joined(separator: ","))]}
        """
    )
  }
}
