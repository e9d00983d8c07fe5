import CoreBenchmarks
import Foundation
import SnippetLoading
import SnippetStorage

/// One edit of many snippets and its undo, while a list shows some of them.
@MainActor
struct EditBenchmarks {
  private static let rowCount = 12_000
  private static let visibleCount = 60

  let folder: URL

  private let clock = ContinuousClock()

  func run(into table: Table) async throws {
    let url = folder.appendingPathComponent("edited.sqlite")
    let store = try await SnippetStore.open(at: url)
    try await store.save(
      contentsOf: (0..<Self.rowCount).map { number in
        SnippetDraft(
          .text("The text of row \(number), as short as most notes are."),
          title: "Row \(number)",
          tags: ["all"]
        )
      }
    )
    let list = store.list()
    let loader = SnippetLoader(list: list, store: store)
    let editor = SnippetEditor(store)
    loader.editor = editor
    loader.show(visible: 0..<Self.visibleCount)
    let cells = (0..<Self.visibleCount).map { _ in PlainCell() }
    for (position, cell) in cells.enumerated() { loader.bind(cell, to: position) }
    await loader.settled()

    var costs: [(name: String, costs: [Cost])] = []
    func measure(_ name: String, _ work: () -> Task<Void, Never>?) async throws {
      let cost = await cost(of: work)
      await loader.settled()
      if let index = costs.firstIndex(where: { $0.name == name }) {
        costs[index].costs.append(cost)
      } else {
        costs.append((name, [cost]))
      }
    }
    let edits: [(name: String, edit: SnippetEdit)] = [
      ("pin", SnippetEdit(isPinned: true)), ("tag", SnippetEdit(addedTags: ["new"])),
      ("retitle", SnippetEdit(title: "Same")), ("trash", SnippetEdit(isInTrash: true)),
    ]
    var failedCount = 0
    editor.failureHandler = { _, _, _ in failedCount += 1 }
    for _ in 0..<5 {
      for (name, edit) in edits {
        let rows = try list.rows(in: 0..<Self.rowCount)
        try await measure(name) { editor.apply(edit, to: rows) }
        // Of new titles each has another inverse.
        try await measure("undo to \(name)") { editor.undo() }
      }
    }
    guard failedCount == 0, editor.nextUndo == nil, cells.allSatisfy({ $0.row?.isPinned == false })
    else { throw RawError(message: "\(failedCount) edits failed") }

    let inC = try pinInC(url)
    for (name, costs) in costs {
      let work = "\(name) \(Self.rowCount) snippets"
      try table.add(
        TableRow(
          work,
          Quantity(costs.map(\.time).sorted()[costs.count / 2]),
          against: "pin them in C",
          Quantity(inC),
          goal: .atMost(Quantity(.seconds(1)))
        )
      )
      try table.add(
        TableRow(
          "\(work), longest turn",
          Quantity(costs.map(\.longestTurn).sorted()[costs.count / 2]),
          goal: .atMost(Quantity(.milliseconds(50)))
        )
      )
    }
    try table.add(
      TableRow(
        "edit \(Self.rowCount) snippets, memory",
        Quantity(costs.flatMap(\.costs).map(\.byteCount).max() ?? 0, .bytes),
        goal: .atMost(Quantity(100e6, .bytes))
      )
    )
  }

  private struct Cost {
    var time: Duration
    /// The longest time for which the main actor did nothing else.
    var longestTurn: Duration
    /// The memory that it took at most.
    var byteCount: Double
  }

  private func cost(of work: () -> Task<Void, Never>?) async -> Cost {
    let former = ResidentMemory.restart()
    let start = clock.now
    let task = work()
    let first = start.duration(to: clock.now)
    let watch = Task { [clock] in
      var longest = Duration.zero
      while !Task.isCancelled {
        let next = clock.now + .milliseconds(1)
        try? await Task.sleep(until: next, clock: clock)
        longest = max(longest, next.duration(to: clock.now))
      }
      return longest
    }
    await task?.value
    let time = start.duration(to: clock.now)
    watch.cancel()
    return Cost(
      time: time,
      longestTurn: max(first, await watch.value),
      byteCount: max(0, ResidentMemory.peak - former)
    )
  }

  /// Pins all of them in one transaction.
  private func pinInC(_ url: URL) throws -> Duration {
    let raw = try RawDatabase(url.path, isReadOnly: false)
    try raw.run("PRAGMA foreign_keys = ON; PRAGMA synchronous = EXTRA; PRAGMA temp_store = MEMORY")
    let update = try raw.prepare(
      """
      UPDATE snippet SET pinned = 1 - pinned, modified_at = ?, revision = revision + 1
      WHERE id = ?
      """
    )
    var times: [Duration] = []
    for round in 0..<5 {
      times.append(
        try clock.measure {
          try raw.run("BEGIN IMMEDIATE")
          for id in 1...Int64(Self.rowCount) {
            update.bind(1_700_000_000_000 + Int64(round), at: 1)
            update.bind(id, at: 2)
            try update.run()
          }
          try raw.run("COMMIT")
        }
      )
    }
    return times.sorted()[2]
  }
}

/// A cell that notes its row.
private final class PlainCell: SnippetCell {
  private(set) var row: SnippetRow?

  func show(_ row: SnippetRow, changing fields: SnippetFields) { self.row = row }
  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) {}
  func prepareForReuse() { row = nil }
}
