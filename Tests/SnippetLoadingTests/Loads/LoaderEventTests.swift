import SnippetLoading
import SnippetTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct LoaderEventTests {
  private let log = EventLog()

  private func fixture(
    rows: ScriptedRows? = nil,
    configure: (inout ScriptedLoader.Limits) -> Void = { _ in }
  ) -> ScriptedLoader {
    ScriptedLoader(rows: rows, onEvent: log.append) {
      $0.ranges = .none
      configure(&$0)
    }
  }

  @Test func `a blob's way into a cell is told step by step`() {
    let fixture = fixture(rows: ScriptedRows(count: 3))
    let key = fixture.key(at: 1)
    let cell = RecordingCell()

    fixture.loader.show(visible: 1..<2)
    #expect(fixture.loader.bind(cell, to: 1) == .pending)
    fixture.settle()
    #expect(fixture.loader.bind(cell, to: 1) == .unchanged)
    fixture.loader.unbind(cell)
    #expect(fixture.loader.bind(cell, to: 1) == .hit)

    #expect(fixture.rows.reads == [0..<3])
    #expect(
      log.events == [
        .loadStarted(key),
        .pending(slot: 0, key),
        .loadFinished(key, byteCount: 1_000),
        .delivered(slot: 0, key),
        .hit(slot: 0, key),
      ]
    )
  }

  @Test func `a failure tells of its attempts and delays, and is known afterwards`() {
    let fixture = fixture {
      $0.retries.maximumAttemptCount = 2
      $0.retries.jitter = 0
      $0.retries.memory = .seconds(3_600)
    }
    let key = fixture.key(at: 0)
    fixture.source.fail(key, with: LoadError(.unreadable))

    let cell = fixture.boundCell(to: 0)
    fixture.settleWithRetries()
    #expect(fixture.loader.bind(RecordingCell(), to: 0) == .failed(LoadError(.unreadable)))
    fixture.loader.retry(cell)

    #expect(
      log.events == [
        .loadStarted(key),
        .pending(slot: 0, key),
        .loadFailed(key, .unreadable),
        .loadDelayed(key, by: .milliseconds(200)),
        .delivered(slot: 0, key),
        .loadStarted(key),
        .loadFailed(key, .unreadable),
        .delivered(slot: 0, key),
        .knownFailure(slot: 1, key, .unreadable),
        .loadStarted(key),
        .pending(slot: 0, key),
      ]
    )
    let haveFailed = cell.states.map { if case .failed = $0 { true } else { false } }
    #expect(haveFailed == [false, false, true, false])
  }

  @Test func `what is not wanted any more is withdrawn, cancelled or dropped`() throws {
    let fixture = fixture { $0.workerCount = 1 }
    let (first, second) = (fixture.boundCell(to: 0), fixture.boundCell(to: 1))
    let keys = (fixture.key(at: 0), fixture.key(at: 1))

    fixture.loader.unbind(second)
    #expect(fixture.loader.counters.loadsWithdrawn == 1)
    fixture.loader.unbind(first)
    fixture.executor.runAll()
    let third = fixture.boundCell(to: 1)
    fixture.executor.runAll()
    fixture.loader.unbind(third)
    fixture.settle()

    let events = log.events
    let cancelled = try #require(events.firstIndex(of: .loadCancelled(keys.0)), "\(events)")
    let dropped = try #require(events.firstIndex(of: .dropped(slot: 0, keys.1)), "\(events)")
    #expect(cancelled < dropped)
  }

  @Test func `a position outside of the list is bound to nothing`() {
    let fixture = fixture(rows: ScriptedRows(count: 1))

    let cell = fixture.boundCell(to: 7)

    #expect(fixture.loader.row(of: cell) == nil)
    #expect(log.events.isEmpty)
  }

  @Test(arguments: Array(1...6) as [UInt64])
  func `the events add up to the counters whatever happens`(seed: UInt64) {
    let world = LoaderWorld(seed: seed, onEvent: log.append)
    for _ in 0..<10 {
      for _ in 0..<300 { world.step() }
      world.fixture.settleWithRetries()
      world.returnAndRetry()
      world.fixture.settleWithRetries()
    }

    #expect(Sums(log.events) == Sums(world.fixture.loader.counters), "seed \(seed)")
    #expect(world.violations.prefix(5) == [], "seed \(seed)")
  }

  @Test func `the events add up when reads run on threads`() async {
    let world = LoaderWorld(seed: 3, isThreaded: true, onEvent: log.append)
    for _ in 0..<5 {
      for _ in 0..<200 { world.step() }
      await world.fixture.deliverAll()
    }
    world.fixture.loader.cancelAll()
    let counters = world.fixture.loader.counters

    let sums = Sums(log.events)
    // The threads decide how many are cancelled before they start.
    #expect(sums.started > 0)
    #expect(sums.hits == counters.hits)
    #expect(sums.delivered == counters.delivered)
  }
}

/// What counters and events have in common.
private struct Sums: Equatable {
  var hits = 0
  var misses = 0
  var started = 0
  var finished = 0
  var failed = 0
  var delayed = 0
  var cancelled = 0
  var delivered = 0
  var dropped = 0
  var bytes = 0

  init(_ counters: LoaderCounters) {
    hits = counters.hits
    misses = counters.misses
    started = counters.loadsStarted
    finished = counters.loadsFinished
    failed = counters.loadsFailed
    delayed = counters.loadsDelayed
    cancelled = counters.loadsCancelled
    delivered = counters.delivered
    dropped = counters.staleDropped
    bytes = counters.bytesLoaded
  }

  init(_ events: [LoaderEvent]) {
    for event in events {
      switch event {
      case .hit:
        hits += 1
        delivered += 1
      case .pending: misses += 1
      case .knownFailure: delivered += 1
      case .loadStarted: started += 1
      case .loadFinished(_, let byteCount):
        finished += 1
        bytes += byteCount
      case .loadFailed: failed += 1
      case .loadDelayed: delayed += 1
      case .loadCancelled: cancelled += 1
      case .delivered: delivered += 1
      case .dropped: dropped += 1
      }
    }
  }
}
