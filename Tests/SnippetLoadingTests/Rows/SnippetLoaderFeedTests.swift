import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderFeedTests {
  private let fixture = ScriptedLoader()
  private let changes = Counter()
  private var loader: SnippetLoader { fixture.loader }

  @MainActor
  final class Counter {
    var count = 0
    var last: ListChange?

    func take(_ change: ListChange) {
      count += 1
      last = change
    }
  }

  /// Ten cells for the positions from 0 on, loaded.
  private func screen() -> [RecordingCell] {
    let cells = fixture.screen(of: 10)
    loader.listChangeHandler = { [changes] in changes.take($0) }
    return cells
  }

  private func announce(_ rows: [SnippetRow]) {
    fixture.rows.rows = rows
    fixture.rows.announce()
  }

  @Test func `a change of what a row shows is shown in place`() {
    let cells = screen()
    var rows = fixture.rows.rows
    rows[4] = .image(5, revision: 2, title: "new")

    announce(rows)
    fixture.settle()

    #expect(changes.count == 0)
    #expect(cells[4].changes == [.all, SnippetFields(.title)])
    #expect(cells[4].states == [.waiting, fixture.bytes(at: 4)])
    #expect(cells.enumerated().allSatisfy { $0.offset == 4 || $0.element.rowCount == 1 })
  }

  @Test func `a change reaches a cell whose row was not around the viewport when it came`() {
    loader.listChangeHandler = { [changes] in changes.take($0) }
    loader.show(visible: 0..<10)
    fixture.settle()
    // The screen scrolls once more while it goes.
    loader.suspend()
    let cells = (100..<110).map { fixture.boundCell(to: $0) }
    loader.show(visible: 100..<110)
    var rows = fixture.rows.rows
    rows[104] = .image(105, revision: 2, title: "new")

    announce(rows)
    fixture.settle()
    loader.resume()
    fixture.settle()

    #expect(cells[4].row?.title == "new")
  }

  @Test func `a change that is read while the screen jumps is told exactly`() {
    _ = screen()
    for first in 1..<300 where fixture.rowExecutor.pendingCount == 0 {
      loader.show(visible: first..<first + 10)
    }
    // Rows ahead are being read, of what is around the screen as it was.
    #expect(fixture.rowExecutor.pendingCount == 1)
    loader.show(visible: 500..<510)

    announce([.image(5_000)] + fixture.rows.rows)
    fixture.settle()

    #expect(changes.count == 1)
    #expect(changes.last?.batch?.inserted.map(\.position) == [0])
  }

  @Test func `a row that comes goes or moves is reported once`() {
    _ = screen()
    let rows = fixture.rows.rows

    announce([.image(5_000)] + rows)
    fixture.settle()
    #expect(changes.count == 1)
    announce(rows)
    fixture.settle()
    #expect(changes.count == 2)
    var moved = rows
    moved.swapAt(2, 3)
    announce(moved)
    fixture.settle()

    #expect(changes.count == 3)
  }

  @Test func `rows in place of others are reported though the length is the same`() {
    _ = screen()
    var rows = fixture.rows.rows
    rows[3] = .image(9_000)

    announce(rows)
    fixture.settle()

    #expect(changes.count == 1)
  }

  @Test func `only the rows that changed or came are read, and each is told with its position`() {
    _ = screen()
    var rows = fixture.rows.rows
    rows.remove(at: 2)
    rows[4] = .image(6, revision: 2, title: "new")
    rows.swapAt(7, 8)
    rows.insert(.image(9_000), at: 1)
    let read = loader.counters.rowsRead

    announce(rows)
    fixture.settle()

    let batch = changes.last?.batch
    #expect(batch?.removed == [RowPlace(id: SnippetID(rawValue: 3), position: 2)])
    #expect(batch?.inserted == [RowPlace(id: SnippetID(rawValue: 9_000), position: 1)])
    #expect(batch?.updated == [RowPlace(id: SnippetID(rawValue: 6), position: 5)])
    #expect(batch?.moved.count == 1)
    #expect(loader.counters.rowsRead == read + 3)
    #expect((0..<10).map { loader.rowInMemory(at: $0) } == rows.prefix(10).map { $0 })
    #expect((0..<10).map { changes.last?.position(of: $0) } == [0, 2, 3, 3, 4, 5, 6, 7, 9, 8])
  }

  @Test func `a list that does not know what became of its rows is laid out anew`() {
    fixture.rows.hidesBatches = true
    _ = screen()

    announce([.image(5_000)] + fixture.rows.rows)
    fixture.settle()

    #expect(changes.count == 1)
    #expect(changes.last == ListChange())
    #expect(changes.last?.position(of: 0) == nil)
    #expect(loader.rowInMemory(at: 0)?.id.rawValue == 5_000)
  }

  @Test func `what a jump finds out is kept from the host until it is told`() {
    loader.show(visible: 100..<110)
    fixture.settle()
    var counts: [Int] = []
    loader.listChangeHandler = { [loader, changes] in
      counts.append(loader.count)
      changes.take($0)
    }
    // Nobody announces it.
    fixture.rows.rows.removeFirst(50)

    loader.show(visible: 700..<710)

    // The host still speaks of the list that it knows.
    #expect(loader.count == 1_000)
    #expect((700..<710).map { loader.rowInMemory(at: $0)?.id.rawValue } == (701...710).map { $0 })
    #expect(fixture.boundCell(to: 705).row?.id.rawValue == 706)
    fixture.settle()
    #expect(counts == [950])
    #expect(changes.last?.batch?.removed.count == 50)
    #expect(loader.rowInMemory(at: 655)?.id.rawValue == 706)
  }

  @Test func `a burst is one read of rows and one word to the host`() {
    _ = screen()
    let reads = loader.counters.rowReadsAhead
    let scheduled = fixture.scheduler.scheduledCount

    for id in 5_000..<5_100 { announce([.image(Int64(id))] + fixture.rows.rows) }
    #expect(fixture.scheduler.scheduledCount == scheduled + 1)
    fixture.scheduler.runAll()
    fixture.rowExecutor.runNext()
    fixture.scheduler.runAll()

    #expect(changes.count == 1)
    #expect(loader.count == 1_100)
    #expect(loader.counters.rowReadsAhead == reads + 1)
  }

  @Test func `nothing is read on the main actor for a change`() {
    _ = screen()
    let reads = loader.counters.rowReads
    var rows = fixture.rows.rows
    rows[4] = .image(5, revision: 2, title: "new")

    announce(rows)
    fixture.settle()

    #expect(loader.counters.rowReads == reads)
  }

  @Test func `a change during the read of another is not lost`() {
    let cells = screen()
    var rows = fixture.rows.rows
    rows[4] = .image(5, revision: 2, title: "new")
    announce(rows)
    fixture.scheduler.runAll()
    // The read has seen the first change only; its rows are on their way.
    fixture.rowExecutor.runNext()

    rows[4] = .image(5, revision: 3, title: "newest")
    announce(rows)
    fixture.settle()

    #expect(cells[4].row?.title == "newest")
  }

  @Test func `word of a change that changed nothing here changes nothing`() {
    let cells = screen()

    fixture.rows.announce()
    fixture.settle()

    #expect(changes.count == 0)
    #expect(cells.allSatisfy { $0.rowCount == 1 })
  }

  @Test func `new content in place of the old is loaded and the order stays`() {
    let cells = screen()
    var rows = fixture.rows.rows
    rows[4] = .image(5, blob: 7_000, revision: 2)

    announce(rows)
    fixture.settle()

    #expect(changes.count == 0)
    #expect(cells[4].changes.last == SnippetFields(.blob))
    #expect(cells[4].bytes == fixture.source.bytes(of: LoadKey(blob: 7_000)))
  }

  @Test func `a change that could not be read is found with the next movement`() {
    let cells = screen()
    var rows = fixture.rows.rows
    rows[4] = .image(5, revision: 2, title: "new")
    fixture.rows.error = LoadError(.unreadable)
    announce(rows)
    fixture.settle()
    #expect(cells[4].row?.title == "")

    fixture.rows.error = nil
    loader.show(visible: 0..<10)
    fixture.settle()

    #expect(cells[4].row?.title == "new")
  }

  @Test func `a change that could not be read is not read over and over`() {
    _ = screen()
    fixture.rows.error = LoadError(.unreadable)
    let reads = fixture.rows.reads.count

    announce(fixture.rows.rows)
    fixture.settle()

    #expect(fixture.rows.reads.count == reads + 1)
    #expect(loader.isSettled)
  }

  @Test func `rows that were read before newer ones are not shown after them`() {
    let cells = screen()
    var titles: [String] = []
    cells[4].onRow = { titles.append($0.title) }
    var rows = fixture.rows.rows
    rows[4] = .image(5, revision: 2, title: "second")
    announce(rows)
    fixture.scheduler.runAll()
    fixture.rowExecutor.runAll()
    // These are on their way; the main actor reads newer ones meanwhile, here and elsewhere.
    rows[4] = .image(5, revision: 3, title: "third")
    fixture.rows.rows = rows
    _ = fixture.boundCell(to: 900)
    loader.bind(cells[4], to: 4)

    // The loader holds cells weakly.
    withExtendedLifetime(cells) { fixture.settle() }

    #expect(titles == ["third"])
  }

  @Test func `a list that could not be read at first is reported once it can be`() {
    loader.listChangeHandler = { [changes] in changes.take($0) }
    fixture.rows.error = LoadError(.unreadable)
    #expect(loader.count == 0)
    fixture.settle()
    #expect(changes.count == 0)

    fixture.rows.error = nil
    loader.show(visible: 0..<10)
    fixture.settle()

    #expect(changes.count == 1)
    #expect(loader.count == fixture.rows.count)
  }

  // read ahead ─── fails ─────────────────┐
  // main actor         reads, succeeds    │
  //                                   delivered
  @Test func `a failed read that comes after a newer one succeeded is no failure`() {
    var errors: [LoadError?] = []
    loader.listErrorHandler = { errors.append($0) }
    loader.show(visible: 0..<10)
    fixture.rows.error = LoadError(.unreadable)
    fixture.rowExecutor.runAll()
    fixture.rows.error = nil
    loader.show(visible: 500..<510)

    fixture.scheduler.runAll()

    #expect(loader.listError == nil)
    #expect(errors == [])
  }

  @Test func `the loader no longer observes once it is gone`() {
    let rows = ScriptedRows(count: 10)
    var fixture: ScriptedLoader? = ScriptedLoader(rows: rows)
    #expect(rows.observerCount == 1)
    _ = fixture?.boundCell(to: 0)

    fixture = nil

    #expect(rows.observerCount == 0)
  }
}
