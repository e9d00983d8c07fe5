import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct EditedScrollTests {
  @Test func `edits by another connection reach the screen as they are, and cost no more rows`()
    async throws
  {
    let other = try TemporaryStore.open()
    try await other.save(contentsOf: (0..<2_000).map { SnippetDraft(.text("text \($0)")) })
    let store = try TemporaryStore.open()
    let list = store.list()
    let loader = SnippetLoader(list: list, store: store)
    let screen = SimulatedScreen(loader: loader, viewport: 12)
    var (batchCount, reloadCount) = (0, 0)
    let follow: @MainActor (ListChange) -> Void = { [weak screen] change in
      if change.batch == nil { reloadCount += 1 } else { batchCount += 1 }
      screen?.update(by: change)
    }
    loader.listChangeHandler = follow
    let first = try await store.lastChange
    var random = SeededGenerator()

    let thumb = ScrollSimulation(
      rowCount: 2_000,
      viewport: 12,
      pattern: .jump,
      seed: 3,
      steps: 600
    )
    for (number, position) in thumb.enumerated() {
      screen.scroll(to: position)
      if number % 10 == 0 { try await edit(other, number, &random) }
    }
    follow(loader.reloadRows())
    await loader.settled()

    let changeCount = try await store.lastChange.rawValue - first.rawValue
    #expect(changeCount >= 60)
    #expect(batchCount > 0 && reloadCount == 0)
    #expect(loader.counters.rowsReadForChanges <= changeCount)
    #expect(loader.counters.wrongDeliveries == 0)
    #expect(screen.visibleCells.map(\.row) == (try list.rows(in: screen.visible)))
    loader.close()
  }

  /// Edits, deletes or adds: half of the time among the first rows, where most people look.
  private func edit(
    _ store: SnippetStore,
    _ number: Int,
    _ random: inout SeededGenerator
  ) async throws {
    let list = store.list()
    let count = try list.count
    let position = random.below(random.chance(0.5) ? count : 100)
    let row = try #require(try list.row(at: position))
    switch random.below(4) {
    case 0: try await store.delete([row.id])
    case 1:
      let title = "New \(number)"
      try await store.save(SnippetDraft(.text(title), title: title, createdAt: row.createdAt))
    default: try await store.apply(SnippetEdit(title: "Edit \(number)"), to: row.id)
    }
  }
}
