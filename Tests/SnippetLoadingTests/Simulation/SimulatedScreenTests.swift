import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

@MainActor
struct SimulatedScreenTests {
  private let fixture = ScriptedLoader()
  private let screen: SimulatedScreen

  init() {
    screen = SimulatedScreen(loader: fixture.loader, viewport: 10)
  }

  @Test(arguments: ScrollPattern.allCases)
  func `whatever the thumb does the screen ends complete`(pattern: ScrollPattern) {
    let thumb = ScrollSimulation(
      rowCount: 1_000,
      viewport: 10,
      pattern: pattern,
      seed: 3,
      steps: 1_000
    )
    for first in thumb {
      screen.scroll(to: first)
      fixture.executor.runNext()
      fixture.loader.drain()
    }
    fixture.settle()

    let counters = fixture.loader.counters
    #expect(screen.visibleCells.count == 10)
    for (cell, position) in zip(screen.visibleCells, screen.visible) {
      #expect(cell.row?.id == fixture.rows.rows[position].id)
      #expect(cell.state == fixture.bytes(at: position))
    }
    #expect(counters.wrongDeliveries == 0)
    #expect(
      counters.loadsStarted == counters.loadsFinished + counters.loadsCancelled
        + counters.loadsFailed + counters.loadsRunning
    )
  }

  @Test func `a handful of cells shows the whole list`() {
    for first in 0..<990 { screen.scroll(to: first) }

    #expect(screen.createdCount == 10)
    #expect(screen.reusedCount == 989)
  }

  @Test func `a reload shows the list as it is`() {
    screen.scroll(to: 990)
    fixture.settle()
    fixture.rows.rows.removeSubrange(100..<900)

    screen.reload()
    fixture.settle()

    #expect(screen.visible == 190..<200)
    #expect(screen.visibleCells.map { $0.row?.id } == fixture.rows.rows[190..<200].map(\.id))
    #expect(screen.visibleCells.allSatisfy { if case .loaded = $0.state { true } else { false } })
  }

  @Test func `a cleared screen wants nothing`() {
    screen.scroll(to: 0)

    screen.clear()
    fixture.settle()

    #expect(fixture.source.reads.isEmpty)
    #expect(screen.visibleCells.isEmpty)
  }
}
