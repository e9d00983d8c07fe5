import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderBindingTests {
  private let fixture = ScriptedLoader()
  private var loader: SnippetLoader { fixture.loader }

  @Test func `the row is in the cell before bind returns and the blob comes later`() {
    let cell = RecordingCell()

    #expect(loader.bind(cell, to: 3) == .pending)

    #expect(cell.row?.id.rawValue == 4)
    #expect(cell.states == [.waiting])
    fixture.settle()
    #expect(cell.states == [.waiting, fixture.bytes(at: 3)])
  }

  @Test func `a blob in memory is in the cell before bind returns`() {
    _ = fixture.boundCell(to: 3)
    fixture.settle()
    let cell = RecordingCell()

    #expect(loader.bind(cell, to: 3) == .hit)

    #expect(cell.states == [fixture.bytes(at: 3)])
    #expect(loader.counters.hits == 1)
    #expect(fixture.executor.pendingCount == 0)
  }

  @Test func `binding a cell to what it shows changes nothing`() {
    let cell = fixture.boundCell(to: 3)
    #expect(loader.bind(cell, to: 3) == .unchanged)
    fixture.settle()

    #expect(loader.bind(cell, to: 3) == .unchanged)

    #expect(cell.rowCount == 1)
    #expect(cell.states == [.waiting, fixture.bytes(at: 3)])
    #expect(fixture.source.reads.count == 1)
  }

  @Test func `a text in its row has nothing to load`() {
    fixture.rows.rows[0] = .text(1, "short")
    let cell = RecordingCell()

    #expect(loader.bind(cell, to: 0) == .rowOnly)

    #expect(cell.row?.preview == "short")
    #expect(cell.states == [.idle])
    #expect(fixture.executor.pendingCount == 0)
  }

  @Test func `a cell bound to a text after a picture never gets the picture`() {
    fixture.rows.rows[0] = .text(1, "short")
    let cell = fixture.boundCell(to: 1)
    fixture.executor.runAll()

    loader.bind(cell, to: 0)
    fixture.scheduler.runAll()

    #expect(cell.states == [.waiting, .idle])
    #expect(loader.counters.staleDropped == 1)
  }

  @Test func `a result that comes after unbind is dropped`() {
    let cell = fixture.boundCell(to: 3)
    fixture.executor.runAll()

    loader.unbind(cell)
    fixture.scheduler.runAll()

    #expect(cell.states == [.waiting])
    #expect(loader.counters.staleDropped == 1)
    #expect(loader.counters.delivered == 0)
  }

  @Test func `a result that comes after the cell was bound to another row is dropped`() {
    let cell = fixture.boundCell(to: 3)
    fixture.executor.runAll()

    loader.bind(cell, to: 4)
    fixture.settle()

    #expect(cell.states == [.waiting, .idle, .waiting, fixture.bytes(at: 4)])
    #expect(loader.counters.staleDropped == 1)
    #expect(loader.counters.wrongDeliveries == 0)
  }

  @Test func `a cell that comes back to its row has the blob once`() {
    let cell = fixture.boundCell(to: 3)
    fixture.executor.runAll()
    loader.bind(cell, to: 4)

    #expect(loader.bind(cell, to: 3) == .hit)
    fixture.settle()

    #expect(cell.states == [.waiting, .idle, .waiting, .idle, fixture.bytes(at: 3)])
    #expect(loader.counters.staleDropped == 1)
  }

  @Test func `a bind while the delivery is outstanding delivers at once and only once`() {
    let cell = fixture.boundCell(to: 3)
    fixture.executor.runAll()

    #expect(loader.bind(cell, to: 3) == .hit)
    fixture.settle()

    #expect(cell.states == [.waiting, fixture.bytes(at: 3)])
  }

  @Test func `a slot that another cell takes over does not take its mail`() {
    let former = fixture.boundCell(to: 3)
    fixture.executor.runAll()
    loader.unbind(former)

    let cell = fixture.boundCell(to: 4)
    fixture.scheduler.runAll()

    #expect(former.states == [.waiting])
    #expect(cell.states == [.waiting])
    fixture.settle()
    #expect(cell.states == [.waiting, fixture.bytes(at: 4)])
  }

  @Test func `a cell that is gone gets nothing and leaves nothing behind`() {
    var cell: RecordingCell? = fixture.boundCell(to: 3)
    weak let observed = cell
    fixture.executor.runAll()

    cell = nil
    #expect(observed == nil)
    fixture.scheduler.runAll()

    #expect(loader.counters.staleDropped == 1)
    #expect(loader.isSettled)
  }

  @Test func `two cells with one blob share one read`() {
    let first = fixture.boundCell(to: 3)
    let second = fixture.boundCell(to: 3)

    loader.unbind(first)
    fixture.settle()

    #expect(first.states == [.waiting])
    #expect(second.states == [.waiting, fixture.bytes(at: 3)])
    #expect(fixture.source.reads == [fixture.key(at: 3)])
  }

  @Test func `two snippets with one blob share one read`() {
    fixture.rows.rows[1] = .image(2, blob: 1)
    let first = fixture.boundCell(to: 0)
    let second = fixture.boundCell(to: 1)

    fixture.settle()

    #expect(first.bytes == second.bytes)
    #expect(fixture.source.reads.count == 1)
  }

  @Test func `unbinding before the read begins saves the read`() {
    let cell = fixture.boundCell(to: 3)

    loader.unbind(cell)
    fixture.settle()

    #expect(fixture.source.reads.isEmpty)
    #expect(loader.counters.loadsCancelled == 1)
    #expect(loader.counters.cacheCount == 0)
  }

  @Test func `a position outside of the list fails and shows nothing of the former row`() {
    let cell = fixture.boundCell(to: 3)

    for position in [-1, 1_000, .max, .max - 1, 1 << 60, .min] {
      #expect(loader.bind(cell, to: position) == .failed(LoadError(.rowUnavailable)))
    }
    fixture.settle()

    #expect(cell.row == nil)
    #expect(cell.state == .failed(LoadError(.rowUnavailable)))
  }

  @Test func `rows that cannot be read fail the bind with the reason and a later bind succeeds`() {
    fixture.rows.error = LoadError(.unreadable, reason: "the disk is gone")
    let cell = RecordingCell()

    guard case .failed(let error) = loader.bind(cell, to: 3) else {
      Issue.record("The bind went well.")
      return
    }
    #expect(error.code == .rowUnavailable)
    #expect(error.reason?.contains("the disk is gone") == true)

    fixture.rows.error = nil
    #expect(loader.bind(cell, to: 3) == .pending)
  }

  // MARK: - Failures

  @Test func `a failure reaches the cell and another bind tries again`() {
    let error = LoadError(.unreadable, reason: "bad block")
    fixture.source.fail(fixture.key(at: 3), with: error)
    let cell = fixture.boundCell(to: 3)
    fixture.settle()
    #expect(cell.states == [.waiting, .failed(error)])

    fixture.source.fail(fixture.key(at: 3), with: nil)
    #expect(loader.bind(cell, to: 3) == .pending)
    fixture.settle()

    #expect(cell.states == [.waiting, .failed(error), .waiting, fixture.bytes(at: 3)])
    #expect(cell.rowCount == 1)
    #expect(loader.counters.loadsFailed == 1)
  }

  @Test func `what cannot succeed is not tried again`() {
    let error = LoadError(.notFound)
    fixture.source.fail(fixture.key(at: 3), with: error)
    let cell = fixture.boundCell(to: 3)
    fixture.settle()

    #expect(loader.bind(cell, to: 3) == .failed(error))
    let other = RecordingCell()
    #expect(loader.bind(other, to: 3) == .failed(error))

    #expect(other.states == [.failed(error)])
    #expect(fixture.source.reads.count == 1)
  }

  @Test func `a blob beyond the limit fails before it is read`() {
    let fixture = ScriptedLoader { $0.maximumBlobByteCount = 999 }
    let cell = fixture.boundCell(to: 3)

    fixture.settle()

    guard case .failed(let error) = cell.state else {
      Issue.record("The cell shows \(String(describing: cell.state)).")
      return
    }
    #expect(error.code == .tooLarge)
    #expect(fixture.source.pieceCount(of: fixture.key(at: 3)) == 0)
  }

  // MARK: - Callbacks

  @Test func `a cell that is bound anew while it shows its row ends with the new row only`() {
    let cell = RecordingCell()
    let loader = loader
    cell.onRow = { row in
      if row.id.rawValue == 4 { loader.bind(cell, to: 5) }
    }

    loader.bind(cell, to: 3)
    fixture.settle()

    #expect(cell.row?.id.rawValue == 6)
    #expect(cell.states == [.idle, .waiting, fixture.bytes(at: 5)])
  }

  @Test func `a cell that delivers from within still ends with the blob`() {
    let cell = RecordingCell()
    let fixture = fixture
    cell.onRow = { _ in fixture.settle() }

    loader.bind(cell, to: 3)

    #expect(cell.states == [fixture.bytes(at: 3)])
  }

  @Test func `what is delivered while a cell drops its former blob comes after the row`() {
    let cell = RecordingCell()
    let fixture = fixture
    loader.bind(cell, to: 3)
    fixture.settle()
    var shown: [Int64?] = []
    cell.onState = { state in
      if case .idle = state { fixture.settle() } else { shown.append(cell.row?.id.rawValue) }
    }

    loader.bind(cell, to: 5)

    #expect(shown == [6])
    #expect(cell.state == fixture.bytes(at: 5))
  }

  @Test func `cells that are thrown away do not keep their loads though nothing moves`() {
    // Their memory is held, so that none comes to stand where another was.
    let places = (0..<500).map { Place(fixture.boundCell(to: $0)) }

    fixture.settle()

    withExtendedLifetime(places) {}

    #expect(fixture.source.reads.count < 50)
  }

  @Test func `a cell that tries again from within its failure waits again`() {
    fixture.source.fail(fixture.key(at: 3), with: LoadError(.unreadable))
    let cell = RecordingCell()
    let fixture = fixture
    cell.onState = { state in
      guard case .failed = state else { return }
      fixture.source.fail(fixture.key(at: 3), with: nil)
      fixture.loader.bind(cell, to: 3)
    }

    loader.bind(cell, to: 3)
    fixture.settle()

    #expect(cell.state == fixture.bytes(at: 3))
  }
}
