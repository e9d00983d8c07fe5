import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// What “Table View Cells Redux” promises, and what its code gets wrong.
@MainActor
struct ReuseIdentifierTests {
  private let fixture = ScriptedLoader()
  private var pool: ReusePool { fixture.loader.pool }

  // MARK: - Promises

  @Test func `the identifier of an instance is that of its type however it is declared`() {
    let cell: BaseCell = LeafCell()
    let any: any SnippetCell = cell

    #expect(cell.reuseIdentifier == LeafCell.reuseIdentifier)
    #expect(any.reuseIdentifier == LeafCell.reuseIdentifier)
    #expect(cell.reuseIdentifier != BaseCell.reuseIdentifier)
  }

  @Test func `a cell is asked for by its type alone`() {
    let cell: LeafCell = pool.cell(of: LeafCell.self) { LeafCell() }
    pool.recycle(cell)

    #expect(pool.cell(of: LeafCell.self) { LeafCell() } === cell)
  }

  @Test func `no cell is made any more once the screen was filled`() {
    let screen = SimulatedScreen(loader: fixture.loader, viewport: 10)
    for first in 0..<20 { screen.scroll(to: first) }
    let warm = fixture.loader.counters.cellsCreated

    for first in 20..<900 { screen.scroll(to: first) }

    #expect(fixture.loader.counters.cellsCreated == warm)
    #expect(warm <= 12)
    #expect(fixture.loader.counters.cellsReused > 880)
  }

  @Test func `cells that are never reused are reported loudly`() {
    var messages: [String] = []
    pool.brokenReuseHandler = { messages.append($0) }
    let screen = LeakyScreen(loader: fixture.loader)

    for first in 0..<100 { screen.scroll(to: first) }

    #expect(messages.count == 1)
  }

  @Test func `one type of cell serves several lists`() {
    let other = ScriptedLoader(rows: ScriptedRows([.text(1, "elsewhere")]))
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    fixture.loader.unbind(cell)

    other.loader.bind(cell, to: 0)
    fixture.settle()

    #expect(cell.row?.preview == "elsewhere")
    #expect(cell.state == .idle)
  }

  @Test func `which callbacks ran can be read from counters`() {
    let screen = SimulatedScreen(loader: fixture.loader, viewport: 10)
    screen.scroll(to: 0)
    fixture.settle()
    screen.scroll(to: 5)

    let counters = fixture.loader.counters
    #expect(counters.cellsCreated + counters.cellsReused == 15)
    #expect(counters.hits + counters.misses == 15)
    #expect(counters.boundCells == 10)
    #expect(counters.delivered == 15)
  }

  // MARK: - Flaws

  @Test func `two types never share an identifier`() {
    pool.recycle(LeafCell())
    pool.recycle(OtherLeafCell())

    #expect(type(of: pool.cell(of: LeafCell.self) { LeafCell() }) == LeafCell.self)
    #expect(type(of: pool.cell(of: OtherLeafCell.self) { OtherLeafCell() }) == OtherLeafCell.self)
    #expect(pool.reusedCount == 2)
  }

  @Test func `siblings do not inherit the identifier of their parent`() {
    let identifiers: Set = [
      BaseCell.reuseIdentifier, LeafCell.reuseIdentifier, OtherLeafCell.reuseIdentifier,
    ]

    #expect(identifiers.count == 3)
    #expect(Set(identifiers.map(\.description)).count == 3)
  }

  @Test func `what was made and used again is counted and not only logged`() {
    let cells = (0..<3).map { _ in pool.cell(of: LeafCell.self) { LeafCell() } }
    for cell in cells { pool.recycle(cell) }
    _ = pool.cell(of: LeafCell.self) { LeafCell() }
    _ = pool.cell(of: OtherLeafCell.self) { OtherLeafCell() }

    #expect(fixture.loader.counters.cellsCreated == 4)
    #expect(fixture.loader.counters.cellsReused == 1)
    #expect(pool.count == 2)
    #expect(pool.count(of: LeafCell.reuseIdentifier) == 2)
    #expect(pool.count(of: OtherLeafCell.reuseIdentifier) == 0)
  }

  @Test func `a cell is reset before it is used again`() {
    let cell = pool.cell(of: RecordingCell.self) { RecordingCell() }
    fixture.loader.bind(cell, to: 0)
    fixture.settle()
    fixture.loader.unbind(cell)
    pool.recycle(cell)

    let again = pool.cell(of: RecordingCell.self) { RecordingCell() }

    #expect(again === cell)
    #expect(again.resetCount == 1 && again.row == nil)
  }
}

private class BaseCell: SnippetCell {
  func show(_ row: SnippetRow, changing fields: SnippetFields) {}
  func show(_ state: LoadState, of recipe: Recipe) {}
  func prepareForReuse() {}
}

private final class LeafCell: BaseCell {}
private final class OtherLeafCell: BaseCell {}

/// A screen whose cells never come back.
@MainActor
private struct LeakyScreen {
  let loader: SnippetLoader

  func scroll(to first: Int) {
    loader.show(visible: first..<first + 10)
    loader.bind(loader.pool.cell(of: LeafCell.self) { LeafCell() }, to: first + 9)
  }
}
