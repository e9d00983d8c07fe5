import CAllocationCount
import Foundation
import SnippetLoading
import SnippetStorage

/// Binding cells to what is in memory: how long it takes, and what memory it asks for.
@MainActor
package struct BindBenchmarks {
  private static let rowCount = 120
  private static let bindCount = 120_000

  let store: SnippetStore

  package init(store: SnippetStore) {
    self.store = store
  }

  package func run(into table: Table) async throws {
    try await store.save(
      contentsOf: (0..<Self.rowCount).map { number in
        SnippetDraft(
          .bytes(Data(repeating: UInt8(truncatingIfNeeded: number), count: 10_000 + number)),
          kind: .image,
          mediaType: "image/x-none"
        )
      }
    )
    let loader = SnippetLoader(list: store.list(), store: store)
    loader.show(visible: 0..<Self.rowCount)
    let cells = (0..<Self.rowCount).map { _ in QuietCell() }
    for (position, cell) in cells.enumerated() { loader.bind(cell, to: position) }
    await loader.settled()
    for cell in cells { loader.unbind(cell) }

    // As a list does: a cell leaves, and shows another row when it comes back.
    let cell = cells[0]
    var times: [Duration] = []
    times.reserveCapacity(Self.bindCount)
    let clock = ContinuousClock()
    var allocationCount: Int64 = 0
    for number in -1_000..<Self.bindCount {
      let position = (number + 1_000) * 7 % Self.rowCount
      let before = allocation_count()
      let start = clock.now
      let outcome = loader.bind(cell, to: position)
      let end = clock.now
      loader.unbind(cell)
      let after = allocation_count()
      guard outcome == .hit else { throw RawError(message: "a bind without a hit") }
      guard number >= 0 else { continue }
      times.append(start.duration(to: end))
      allocationCount += after - before
    }
    times.sort()
    let work = "bind with a hit in memory"
    let allocations = Double(allocationCount) / Double(Self.bindCount)
    let rows = [
      TableRow(
        "\(work), median",
        Quantity(times[times.count / 2]),
        goal: .atMost(Quantity(.nanoseconds(800)))
      ),
      TableRow("\(work), p99", Quantity(times[times.count * 99 / 100]), goal: .none),
      TableRow(
        "\(work), allocations",
        Quantity(allocations, .allocations),
        goal: .atMost(Quantity(0, .allocations))
      ),
    ]
    for row in rows { try table.add(row) }
  }
}

/// A cell that only notes what it shows.
private final class QuietCell: SnippetCell {
  private var row: SnippetRow?
  private var blob: LoadedBlob?

  func show(_ row: SnippetRow, changing fields: SnippetFields) { self.row = row }

  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) {
    if case .loaded(let blob) = state { self.blob = blob }
  }

  func prepareForReuse() {
    row = nil
    blob = nil
  }
}
