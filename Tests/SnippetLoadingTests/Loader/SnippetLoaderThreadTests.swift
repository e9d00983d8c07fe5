import Foundation
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetLoading

/// Reads on real threads, held at gates so that every interleaving is forced.
@MainActor
@Suite(.timeLimit(.minutes(30)))
struct SnippetLoaderThreadTests {
  private let fixture = ScriptedLoader(isThreaded: true)
  private var loader: SnippetLoader { fixture.loader }

  // first cell    second cell    source
  // binds ──────────────────────▶ held
  //               binds           (no second read)
  //                               released ─▶ both have the blob
  @Test func `a second cell joins the running load`() async {
    let hold = fixture.source.hold(fixture.key(at: 3))
    let first = fixture.boundCell(to: 3)
    await hold.reached.untilOpen()

    let second = fixture.boundCell(to: 3)
    hold.release.open()
    await fixture.deliverAll()

    #expect(first.states == [.waiting, fixture.bytes(at: 3)])
    #expect(second.states == [.waiting, fixture.bytes(at: 3)])
    #expect(fixture.source.reads.count == 1)
    #expect(fixture.source.mainThreadReads == 0)
  }

  // first cell    second cell    source
  // binds ──────────────────────▶ held before piece 2
  //               binds
  // unbinds
  //                               released ─▶ second has the blob, first nothing
  @Test func `one of two cells leaves and the other has the blob`() async {
    let hold = fixture.source.hold(fixture.key(at: 3), beforePiece: 2)
    let first = fixture.boundCell(to: 3)
    let second = fixture.boundCell(to: 3)
    await hold.reached.untilOpen()

    loader.unbind(first)
    hold.release.open()
    await fixture.deliverAll()

    #expect(first.states == [.waiting])
    #expect(second.state == fixture.bytes(at: 3))
    #expect(loader.counters.loadsCancelled == 0)
  }

  // cell          source                         another cell
  // binds ──────▶ held before piece 1
  // unbinds
  //               released ─▶ piece 1 is refused
  //                                              binds, loads, has its blob
  @Test func `a cancelled load stops at the next piece and keeps nothing`() async {
    let fixture = ScriptedLoader(isThreaded: true) { $0.workerCount = 1 }
    let hold = fixture.source.hold(fixture.key(at: 3), beforePiece: 1)
    let cell = fixture.boundCell(to: 3)
    await hold.reached.untilOpen()

    fixture.loader.unbind(cell)
    let other = fixture.boundCell(to: 4)
    hold.release.open()
    await fixture.deliverAll()

    #expect(other.state == fixture.bytes(at: 4))
    #expect(fixture.source.pieceCount(of: fixture.key(at: 3)) == 1)
    #expect(fixture.loader.counters.loadsCancelled == 1)
    #expect(fixture.loader.counters.cacheCount == 1)
    #expect(cell.states == [.waiting])
  }

  // cell          source
  // binds ──────▶ held before piece 1
  // unbinds
  // binds again   (joins: nobody has told the worker)
  //               released ─▶ goes on to the end
  @Test func `a cell that comes back before the next piece gets the same read`() async {
    let hold = fixture.source.hold(fixture.key(at: 3), beforePiece: 1)
    let cell = fixture.boundCell(to: 3)
    await hold.reached.untilOpen()

    loader.unbind(cell)
    #expect(loader.bind(cell, to: 3) == .pending)
    hold.release.open()
    await fixture.deliverAll()

    #expect(cell.states == [.waiting, .waiting, fixture.bytes(at: 3)])
    #expect(fixture.source.reads.count == 1)
    #expect(loader.counters.loadsCancelled == 0)
  }

  // cell          source
  // binds ──────▶ held before piece 1
  // is reset
  //               released ─▶ stops at the piece; reads anew
  @Test func `a cell that is reset during a read gets a new read`() async {
    let hold = fixture.source.hold(fixture.key(at: 3), beforePiece: 1)
    let cell = fixture.boundCell(to: 3)
    await hold.reached.untilOpen()

    loader.reset(cell)
    hold.release.open()
    await fixture.deliverAll()

    #expect(cell.states == [.waiting, .waiting, fixture.bytes(at: 3)])
    #expect(fixture.source.reads.count == 2)
    #expect(loader.counters.loadsCancelled == 1)
  }

  // cell          source
  // binds ──────▶ held before piece 1
  // unbinds
  //               looks, is told to stop, and is held before it does
  // binds again
  //               returns half of the blob ─▶ dropped; reads anew ─▶ whole blob
  @Test func `a cell that comes back after the worker was told gets a new read`() async {
    let source = HesitantSource()
    let rows = ScriptedRows(count: 10)
    let scheduler = ManualScheduler()
    let loader = SnippetLoader(
      list: rows,
      source: source,
      environment: .init(scheduler: scheduler)
    )
    let cell = RecordingCell()
    loader.bind(cell, to: 0)
    await source.begun.untilOpen()

    loader.unbind(cell)
    source.mayLook.open()
    await source.looked.untilOpen()
    #expect(loader.bind(cell, to: 0) == .pending)
    source.mayReturn.open()
    await scheduler.untilPending()
    scheduler.runAll()

    #expect(
      cell.states == [
        .waiting, .waiting, .loaded(LoadedBlob(key: LoadKey(blob: 1), bytes: Data("whole".utf8))),
      ]
    )
    #expect(loader.counters.loadsStarted == 2)
    #expect(loader.counters.loadsCancelled == 1)
  }

  // viewport       source
  // 0..<10 ──────▶ 0 held before piece 1
  // 500..<510      released ─▶ refused; 500 and on are read
  @Test func `a jump stops the load of a row that left`() async {
    let fixture = ScriptedLoader(isThreaded: true) { configuration in
      configuration.workerCount = 1
      configuration.ranges = .none
    }
    let hold = fixture.source.hold(fixture.key(at: 0), beforePiece: 1)
    fixture.loader.show(visible: 0..<10)
    await hold.reached.untilOpen()

    fixture.loader.show(visible: 500..<510)
    let cell = fixture.boundCell(to: 500)
    hold.release.open()
    await fixture.deliverAll()

    #expect(cell.state == fixture.bytes(at: 500))
    #expect(fixture.source.pieceCount(of: fixture.key(at: 0)) == 1)
  }

  // preloads       source            visible
  // all but one worker held
  //                                  binds ──▶ is read at once
  @Test func `a visible load is read while every other worker is held by preloads`() async {
    let fixture = ScriptedLoader(isThreaded: true) { configuration in
      configuration.ranges = .init(imminent: 0.5, leading: 1.5, trailing: 0.5)
      configuration.workerCount = 3
      configuration.reservedVisibleWorkers = 1
    }
    fixture.rows.rows.replaceSubrange(0..<2, with: [.text(1, "a"), .text(2, "b")])
    let holds = (2..<4).map { fixture.source.hold(fixture.key(at: $0)) }
    fixture.loader.show(visible: 0..<2)
    for hold in holds { await hold.reached.untilOpen() }

    fixture.rows.rows[0] = .image(1, revision: 2)
    fixture.loader.reloadRows()
    let cell = fixture.boundCell(to: 0)
    await fixture.deliverAll()

    #expect(cell.state == fixture.bytes(at: 0))
    for hold in holds { hold.release.open() }
  }

  @Test func `no more reads go on than there are workers`() async {
    let fixture = ScriptedLoader(isThreaded: true) { $0.workerCount = 2 }
    let holds = (0..<2).map { fixture.source.hold(fixture.key(at: $0)) }
    fixture.loader.show(visible: 0..<10)
    let cells = (0..<10).map { fixture.boundCell(to: $0) }
    for hold in holds { await hold.reached.untilOpen() }
    #expect(fixture.source.reads.count == 2)

    for hold in holds { hold.release.open() }
    await fixture.deliverAll()

    #expect(cells.allSatisfy { $0.bytes != nil })
    #expect(fixture.source.mostReading == 2)
  }

  // MARK: - The end

  @Test func `a closed loader delivers nothing and a bind fails`() async {
    let hold = fixture.source.hold(fixture.key(at: 3), beforePiece: 1)
    let cell = fixture.boundCell(to: 3)
    await hold.reached.untilOpen()

    loader.close()
    hold.release.open()
    loader.show(visible: 0..<10)
    loader.reloadRows()
    loader.unbind(cell)

    guard case .failed(let error) = loader.bind(cell, to: 3) else {
      Issue.record("The bind went well.")
      return
    }
    #expect(error.code == .cancelled)
    #expect(loader.counters.cacheCount == 0)
    #expect(loader.counters.delivered == 0)
  }

  // loader        source
  // binds ──────▶ held before piece 1
  // released
  //               released ─▶ refused; then nothing is left
  @Test func `nothing is left of a loader that is released in the middle of a load`() async {
    let source = ScriptedSource()
    let end = Gate()
    let hold = source.hold(LoadKey(blob: 1), beforePiece: 1)
    let cell = RecordingCell()
    weak var observed: SnippetLoader?
    weak var observedRows: ScriptedRows?
    do {
      let rows = ScriptedRows(count: 10)
      let loader = SnippetLoader(
        list: rows,
        source: Watched(source: source, end: end),
        environment: .init(scheduler: ManualScheduler())
      )
      loader.show(visible: 0..<1)
      loader.bind(cell, to: 0)
      observed = loader
      observedRows = rows
      await hold.reached.untilOpen()
    }
    #expect(observed == nil)
    #expect(observedRows == nil)

    hold.release.open()
    // The watch ends when the last reference to the source goes, which the coordinator has.
    await end.untilOpen()

    #expect(source.pieceCount(of: LoadKey(blob: 1)) == 1)
    #expect(cell.states == [.waiting])
  }

  @Test func `settled returns when every bound cell has its blob`() async {
    let loader = SnippetLoader(list: fixture.rows, source: fixture.source)
    loader.show(visible: 0..<10)
    let cells = (0..<10).map { _ in RecordingCell() }
    for (position, cell) in cells.enumerated() { loader.bind(cell, to: position) }

    await loader.settled()

    #expect(cells.allSatisfy { $0.bytes != nil })
  }

  @Test func `settled returns when its task is cancelled and when the cells are unbound`() async {
    let cell = fixture.boundCell(to: 3)
    let loader = loader
    let hold = fixture.source.hold(fixture.key(at: 5))
    let cancelled = Task { await loader.settled() }
    cancelled.cancel()
    await cancelled.value
    #expect(!loader.isSettled)

    async let settled: Void = loader.settled()
    loader.unbind(cell)
    await settled
    #expect(loader.isSettled)
    hold.release.open()
  }

  // As a list does that reloads: it unbinds its cells, and binds them again.
  @Test func `settled goes on waiting when a cell is unbound and bound again at once`() async {
    let hold = fixture.source.hold(fixture.key(at: 4))
    let cell = fixture.boundCell(to: 3)
    let loader = loader
    let waiting = Task {
      await loader.settled()
      return loader.isSettled
    }
    while loader.settlers.isEmpty { await Task.yield() }

    loader.unbind(cell)
    loader.bind(cell, to: 4)
    await hold.reached.untilOpen()
    hold.release.open()
    await fixture.deliverAll()

    #expect(await waiting.value)
  }
}

/// Returns half of the blob when it sees that it is cancelled, after a pause.
private final class HesitantSource: BlobSource {
  let begun = Gate()
  let mayLook = Gate()
  let looked = Gate()
  let mayReturn = Gate()

  func read(_ key: LoadKey, into context: inout LoadContext) throws {
    begun.open()
    mayLook.blockUntilOpen()
    if context.isCancelled {
      looked.open()
      mayReturn.blockUntilOpen()
      return
    }
    try context.append(Data("whole".utf8))
  }
}

/// Opens a gate when nobody refers to it any more.
private final class Watched: BlobSource {
  private let source: ScriptedSource
  private let end: Gate

  init(source: ScriptedSource, end: Gate) {
    self.source = source
    self.end = end
  }

  deinit {
    end.open()
  }

  func read(_ key: LoadKey, into context: inout LoadContext) throws {
    try source.read(key, into: &context)
  }
}
