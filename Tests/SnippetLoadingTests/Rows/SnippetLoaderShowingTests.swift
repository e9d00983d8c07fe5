import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

/// One loader that shows one list after another.
@MainActor
struct SnippetLoaderShowingTests {
  private let fixture = ScriptedLoader()
  private var loader: SnippetLoader { fixture.loader }
  /// Every second picture of the list that is shown first.
  private let half = ScriptedRows(stride(from: 1, through: 999, by: 2).map { SnippetRow.image($0) })

  @Test func `what the former list had loaded is in the cell when a bind returns`() {
    let cells = fixture.screen(of: 10)
    for cell in cells { loader.unbind(cell) }
    let reads = fixture.source.reads.count

    loader.show(half)
    loader.show(visible: 0..<5)
    let outcomes = (0..<5).map { loader.bind(cells[$0], to: $0) }
    fixture.settle()

    #expect(loader.count == 500 && outcomes == Array(repeating: .hit, count: 5))
    #expect(cells[4].row?.id.rawValue == 9 && cells[4].state == fixture.bytes(at: 8))
    let read = fixture.source.reads.dropFirst(reads)
    #expect(read.allSatisfy { ($0.blobID?.rawValue ?? 0) > 10 }, "\(read)")
  }

  @Test func `there and back again loads nothing`() {
    _ = fixture.screen(of: 10)
    loader.show(half)
    loader.show(visible: 0..<10)
    fixture.settle()
    let started = loader.counters.loadsStarted

    loader.show(fixture.rows)
    loader.show(visible: 0..<10)
    let cells = (0..<10).map { fixture.boundCell(to: $0) }
    loader.show(half)
    loader.show(visible: 0..<10)
    let others = (0..<10).map { fixture.boundCell(to: $0) }
    fixture.settle()

    #expect(loader.counters.loadsStarted == started)
    #expect(cells.allSatisfy { $0.states.count == 1 } && others.allSatisfy { $0.states.count == 1 })
  }

  @Test func `a cell that stays bound shows its snippet without a change`() {
    let cells = fixture.screen(of: 10)
    let states = cells.map(\.states)

    loader.show(half)
    loader.show(visible: 0..<10)
    #expect(loader.bind(cells[2], to: 1) == .unchanged)
    fixture.settle()

    #expect(cells.map(\.states) == states)
    #expect(loader.counters.wrongDeliveries == 0)
  }

  @Test func `a load that both lists want goes on, and one that neither wants stops`() {
    loader.show(visible: 0..<2)
    let cells = (0..<2).map { fixture.boundCell(to: $0) }
    let reads = fixture.executor.pendingCount

    loader.show(half)
    for cell in cells { loader.unbind(cell) }
    loader.show(visible: 0..<1)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    #expect(reads > 0 && cell.state == fixture.bytes(at: 0))
    #expect(fixture.source.readCount(of: fixture.key(at: 0)) == 1)
    #expect(fixture.source.readCount(of: fixture.key(at: 1)) == 0)
  }

  @Test func `rows of the former list that come late count for nothing`() {
    loader.show(visible: 0..<10)
    // A read ahead is under way.
    #expect(fixture.rowExecutor.pendingCount == 1)

    loader.show(half)
    loader.show(visible: 0..<3)
    fixture.settle()

    #expect(loader.count == 500)
    #expect((0..<3).map { loader.rowInMemory(at: $0)?.id.rawValue } == [1, 3, 5])
  }

  @Test func `the changes of the new list are followed, and no longer those of the former`() {
    let fixture = ScriptedLoader()
    fixture.loader.show(visible: 0..<3)
    fixture.settle()
    #expect(fixture.rows.observerCount == 1)

    fixture.loader.show(half)
    fixture.loader.show(visible: 0..<3)
    fixture.settle()
    #expect(fixture.rows.observerCount == 0 && half.observerCount == 1)

    half.rows.removeFirst()
    half.announce()
    fixture.settle()
    #expect(fixture.loader.count == 499 && fixture.loader.rowInMemory(at: 0)?.id.rawValue == 3)
  }

  @Test func `word of the former list that is on its way does no harm`() {
    let fixture = ScriptedLoader()
    fixture.loader.show(visible: 0..<3)
    fixture.settle()
    fixture.rows.rows.removeAll()
    fixture.rows.announce()

    fixture.loader.show(half)
    fixture.loader.show(visible: 0..<3)
    fixture.settle()

    #expect(fixture.loader.count == 500 && fixture.loader.rowInMemory(at: 0)?.id.rawValue == 1)
  }

  @Test func `a list shown from within the word of a change takes the place of that`() {
    let fixture = ScriptedLoader()
    let half = half
    fixture.loader.listChangeHandler = { [loader = fixture.loader] _ in
      loader.listChangeHandler = nil
      loader.show(half)
      loader.show(visible: 0..<3)
    }
    fixture.loader.show(visible: 0..<3)
    fixture.settle()

    fixture.rows.rows.removeFirst()
    fixture.rows.announce()
    fixture.settle()

    #expect(fixture.loader.count == 500 && fixture.loader.rowInMemory(at: 2)?.id.rawValue == 5)
  }

  @Test func `a list that cannot be read is empty until it can`() {
    _ = fixture.screen(of: 10)
    half.error = LoadError(.unreadable)

    loader.show(half)
    loader.show(visible: 0..<3)
    #expect(loader.count == 0 && loader.rowInMemory(at: 0) == nil)

    half.error = nil
    loader.show(visible: 0..<3)
    fixture.settle()
    #expect(loader.count == 500 && loader.rowInMemory(at: 0)?.id.rawValue == 1)
  }

  @Test func `a failure stays known, and is tried again on demand`() {
    let key = fixture.key(at: 0)
    fixture.source.fail(key, with: LoadError(.undecodable))
    let cells = fixture.screen(of: 10)
    for cell in cells { loader.unbind(cell) }

    loader.show(half)
    loader.show(visible: 0..<3)
    let cell = fixture.boundCell(to: 0)
    #expect(cell.error?.code == .undecodable && fixture.source.readCount(of: key) == 1)

    fixture.source.fail(key, with: nil)
    loader.retry(cell)
    fixture.settle()
    #expect(cell.state == fixture.bytes(at: 0))
  }

  @Test func `who waits for the loader does not wait for the former list`() async {
    loader.show(visible: 0..<10)
    #expect(!loader.isSettled)

    loader.show(half)

    await loader.settled()
    #expect(loader.isSettled)
  }

  @Test func `after the end nothing is shown or observed`() {
    loader.close()

    loader.show(half)
    loader.show(visible: 0..<3)

    #expect(loader.count == 0 && half.observerCount == 0 && half.reads.isEmpty)
  }
}
