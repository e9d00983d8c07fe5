import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

/// What is on screen stays there, whatever becomes of the rows above it.
@MainActor
struct SnippetLoaderAnchorTests {
  private let fixture = ScriptedLoader()
  private let told = Told()
  private var loader: SnippetLoader { fixture.loader }

  @MainActor
  private final class Told {
    var changes: [ListChange] = []
  }

  /// Ten cells for the positions from 500 on, loaded.
  private func screen() {
    loader.show(visible: 500..<510)
    for position in 500..<510 { _ = fixture.boundCell(to: position) }
    fixture.settle()
    loader.listChangeHandler = { [told] in told.changes.append($0) }
  }

  private func announce(_ rows: [SnippetRow]) {
    fixture.rows.rows = rows
    fixture.rows.announce()
  }

  private func newRows(_ count: Int) -> [SnippetRow] {
    (0..<count).map { .image(Int64(100_000 + $0)) }
  }

  @Test func `the first row on screen is the anchor however many come and go above it`() {
    screen()

    announce(newRows(30) + fixture.rows.rows.dropFirst(5))
    fixture.settle()

    let first = SnippetID(rawValue: 501)
    #expect(told.changes.map(\.anchor) == [RowMove(id: first, from: 500, to: 525)])
    #expect(told.changes.first?.displacement == 25)
  }

  @Test(arguments: [1, 25, 10_000])
  func `the rows around the anchor are in memory when the host is told`(count: Int) {
    screen()
    let reads = loader.counters.rowReads
    var ids: [Int64?] = []
    loader.listChangeHandler = { [loader] change in
      let start = 500 + change.displacement
      loader.show(visible: start..<start + 10)
      ids = (start..<start + 10).map { loader.rowInMemory(at: $0)?.id.rawValue }
    }

    announce(newRows(count) + fixture.rows.rows)
    fixture.settle()

    #expect(ids == (501...510).map { Int64($0) })
    #expect(loader.counters.rowReads == reads)
  }

  @Test func `no load of what stays on screen is cancelled by a change above it`() {
    loader.show(visible: 500..<510)
    let cells = (500..<510).map { fixture.boundCell(to: $0) }
    loader.listChangeHandler = { [loader] change in
      let start = 500 + change.displacement
      loader.show(visible: start..<start + 10)
      for (cell, position) in zip(cells, start...) { loader.bind(cell, to: position) }
    }

    announce(newRows(400) + fixture.rows.rows)
    // The rows come first; the loads have not begun.
    fixture.scheduler.runAll()
    fixture.rowExecutor.runAll()
    fixture.scheduler.runAll()

    let cancelled = loader.counters.loadsCancelled
    fixture.settle()
    #expect(cancelled == 0)
    #expect(cells.allSatisfy { $0.bytes != nil })
  }

  @Test func `the next row on screen is the anchor when the first is gone`() {
    screen()
    var rows = fixture.rows.rows
    rows.removeSubrange(490..<503)

    announce(rows)
    fixture.settle()

    #expect(
      told.changes.map(\.anchor) == [RowMove(id: SnippetID(rawValue: 504), from: 503, to: 490)]
    )
  }

  @Test func `nothing is the anchor when all that was on screen is gone`() {
    screen()
    var rows = fixture.rows.rows
    rows.removeSubrange(500..<510)

    announce(rows)
    fixture.settle()

    #expect(told.changes.map(\.anchor) == [nil])
    #expect(told.changes.first?.displacement == 0)
    #expect(told.changes.first?.batch?.removed.map(\.position) == Array(500..<510))
  }

  @Test func `the anchor is on screen where the list is scrolled while it is read`() {
    screen()

    announce(newRows(3) + fixture.rows.rows)
    fixture.scheduler.runAll()
    loader.show(visible: 600..<610)
    fixture.settle()

    let first = SnippetID(rawValue: 601)
    #expect(told.changes.map(\.anchor) == [RowMove(id: first, from: 600, to: 603)])
  }

  @Test func `at the start of the list what is new is seen`() {
    loader.show(visible: 0..<10)
    fixture.settle()
    loader.listChangeHandler = { [told] in told.changes.append($0) }
    let reads = loader.counters.rowReads

    announce(newRows(3_000) + fixture.rows.rows)
    fixture.settle()

    #expect(told.changes.map(\.anchor) == [nil])
    #expect(loader.rowInMemory(at: 0)?.id.rawValue == 100_000)
    #expect(loader.counters.rowReads == reads)
  }

  @Test func `what is new is seen at the start, also where it is scrolled to during the read`() {
    loader.show(visible: 5..<15)
    fixture.settle()
    loader.listChangeHandler = { [told] in told.changes.append($0) }

    announce(newRows(3) + fixture.rows.rows)
    fixture.scheduler.runAll()
    loader.show(visible: 0..<10)
    fixture.settle()

    #expect(told.changes.map(\.anchor) == [nil])
  }

  @Test func `a later state that was read in between does not lose the anchor`() {
    screen()
    let rows = fixture.rows.rows
    announce(newRows(3) + rows)
    fixture.scheduler.runAll()
    fixture.rowExecutor.runAll()
    // The rows of the first change are on their way; a jump reads those of the second.
    fixture.rows.rows = newRows(7) + rows
    _ = fixture.boundCell(to: 900)

    fixture.settle()

    #expect(
      told.changes.map(\.anchor) == [RowMove(id: SnippetID(rawValue: 501), from: 500, to: 507)]
    )
  }

  @Test func `a caller that reports a change gets the anchor`() {
    let fixture = ScriptedLoader()
    fixture.loader.show(visible: 20..<30)
    fixture.settle()
    fixture.rows.rows = newRows(4) + fixture.rows.rows

    let change = fixture.loader.reloadRows()

    #expect(change.anchor == RowMove(id: SnippetID(rawValue: 21), from: 20, to: 24))
  }

  @Test func `a source that looks for no anchor has one among the rows that it gives`() {
    let rows = PlainRows(ScriptedRows(count: 1_000))
    let fixture = ScriptedLoader(rows: rows.rows)
    let loader = SnippetLoader(list: rows, source: fixture.source)
    loader.show(visible: 20..<30)
    rows.rows.rows = newRows(4) + rows.rows.rows

    #expect(loader.reloadRows().displacement == 4)
    loader.show(visible: 500..<510)
    rows.rows.rows = newRows(4_000) + rows.rows.rows.dropFirst(4)
    #expect(loader.reloadRows() == ListChange())
  }
}

/// Only what a source of rows must do.
private struct PlainRows: RowList {
  let rows: ScriptedRows

  init(_ rows: ScriptedRows) {
    self.rows = rows
  }

  func page(_ positions: Range<Int>) throws -> SnippetPage {
    try rows.page(positions)
  }
}
