import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderListChangeTests {
  private let fixture = ScriptedLoader()
  private var loader: SnippetLoader { fixture.loader }

  @Test func `a row inserted above moves all others and loads only itself`() {
    let cells = fixture.screen(of: 10)
    let reads = fixture.source.reads.count

    fixture.rows.rows.insert(.image(5_000), at: 0)
    loader.reloadRows()
    for (position, cell) in cells.enumerated() { loader.bind(cell, to: position) }
    fixture.settle()

    #expect(fixture.source.reads.dropFirst(reads) == [LoadKey(blob: 5_000)])
    #expect(cells[0].bytes == fixture.source.bytes(of: LoadKey(blob: 5_000)))
    #expect(cells[9].state == fixture.bytes(at: 8))
  }

  @Test func `a load under way follows its snippet to another position`() {
    loader.show(visible: 0..<10)
    let cell = fixture.boundCell(to: 0)

    fixture.rows.rows.swapAt(0, 9)
    loader.reloadRows()
    fixture.settle()

    // Nobody bound the cell again: it still shows the snippet that was first before.
    #expect(cell.row?.id.rawValue == 1)
    #expect(cell.states == [.waiting, fixture.bytes(at: 0)])
    #expect(fixture.source.readCount(of: fixture.key(at: 0)) == 1)
  }

  @Test func `a row that takes another kind of cell is told as a reload`() {
    _ = fixture.screen(of: 10)

    fixture.rows.rows[4] = .text(5, "no picture any more", revision: 2)
    let change = loader.reloadRows()

    #expect(change.batch == nil)
  }

  @Test func `a new title is shown at once and loads nothing`() {
    let cells = fixture.screen(of: 10)
    let reads = fixture.source.reads.count

    fixture.rows.rows[4] = .image(5, revision: 2, title: "new")
    loader.reloadRows()
    fixture.settle()

    #expect(cells[4].row?.title == "new")
    #expect(cells[4].states == [.waiting, fixture.bytes(at: 4)])
    #expect(fixture.source.reads.count == reads)
    #expect(loader.bind(cells[4], to: 4) == .unchanged)
  }

  @Test func `a bind after an unreported edit shows the new row without a flicker`() {
    let cells = fixture.screen(of: 10)
    fixture.rows.rows[4] = .image(5, revision: 2, title: "new")
    loader.reloadRows()
    fixture.rows.rows[4] = .image(5, revision: 3, title: "newer")
    loader.show(visible: 500..<510)
    loader.show(visible: 0..<10)

    #expect(loader.bind(cells[4], to: 4) == .unchanged)

    #expect(cells[4].row?.title == "newer")
    #expect(cells[4].states == [.waiting, fixture.bytes(at: 4)])
  }

  @Test func `new content replaces the old in the cell that shows the snippet`() {
    let cells = fixture.screen(of: 10)

    fixture.rows.rows[4] = .image(5, blob: 7_000, revision: 2)
    loader.reloadRows()
    #expect(cells[4].state == .waiting)
    fixture.settle()

    #expect(cells[4].bytes == fixture.source.bytes(of: LoadKey(blob: 7_000)))
  }

  @Test func `the old content that is still under way does not come after the new`() {
    loader.show(visible: 0..<10)
    let cell = fixture.boundCell(to: 4)
    fixture.executor.runAll()

    fixture.rows.rows[4] = .image(5, blob: 7_000, revision: 2)
    loader.reloadRows()
    fixture.settle()

    #expect(
      cell.states == [
        .waiting, .waiting, .loaded(fixture.source.blob(of: LoadKey(blob: 7_000))),
      ]
    )
  }

  @Test func `content replaced by a short text empties the cell`() {
    let cells = fixture.screen(of: 10)

    fixture.rows.rows[4] = .text(5, "now a text", revision: 2)
    loader.reloadRows()

    #expect(cells[4].state == .idle)
    #expect(cells[4].row?.preview == "now a text")
  }

  @Test func `loads of deleted rows are cancelled`() {
    loader.show(visible: 0..<10)
    fixture.rows.rows.removeFirst(1_000 - 5)

    loader.reloadRows()
    fixture.settle()

    #expect(Set(fixture.source.reads) == Set((995..<1_000).map { fixture.key(at: $0) }))
  }

  @Test func `a list that shrinks under the viewport fails the binds beyond its end`() {
    loader.show(visible: 990..<1_000)
    let cell = fixture.boundCell(to: 999)
    fixture.rows.rows.removeLast(500)

    loader.reloadRows()

    #expect(loader.bind(cell, to: 999) == .failed(LoadError(.rowUnavailable)))
    fixture.settle()
    #expect(cell.bytes == nil)
  }
}
