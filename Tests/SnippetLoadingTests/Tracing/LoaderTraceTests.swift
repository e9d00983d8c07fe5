import Dispatch
import Foundation
import SnippetBase
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct LoaderTraceTests {
  private let trace = LoaderTrace()

  private func fixture(
    rows: ScriptedRows? = nil,
    configure: (inout ScriptedLoader.Limits) -> Void = { _ in }
  ) -> ScriptedLoader {
    ScriptedLoader(rows: rows, trace: trace) {
      $0.ranges = .none
      configure(&$0)
    }
  }

  private var actions: [LoaderEvent.Action] { trace.held.events.map(\.action) }

  @Test func `a blob's way into a cell is told step by step`() {
    let fixture = fixture(rows: ScriptedRows(count: 3))
    let key = fixture.key(at: 1)
    let cell = RecordingCell()

    fixture.loader.show(visible: 1..<2)
    fixture.loader.bind(cell, to: 1)
    fixture.settle()
    fixture.loader.bind(cell, to: 1)
    fixture.loader.unbind(cell)
    fixture.loader.bind(cell, to: 1)

    let id = SnippetID(rawValue: 2)
    #expect(
      actions == [
        .viewportMoved(to: 1..<2),
        .rowsRead(0..<3, isAhead: false, listCount: 3),
        .loadStarted(key),
        .pending(slot: 0, key),
        .bound(slot: 0, id, position: 1, .pending),
        .loadFinished(key, byteCount: 1_000),
        .delivered(slot: 0, key, .loaded),
        .bound(slot: 0, id, position: 1, .unchanged),
        .unbound(slot: 0),
        .hit(slot: 0, key, byteCount: 1_000),
        .bound(slot: 0, id, position: 1, .hit),
      ]
    )
  }

  @Test func `the time is that of the loader's clock, from the beginning of the trace`() {
    let fixture = fixture(rows: ScriptedRows([.text(1, "all of it")]))

    fixture.clock.advance(by: .milliseconds(3))
    let first = fixture.boundCell(to: 0)
    fixture.clock.advance(by: .nanoseconds(5))
    let second = fixture.boundCell(to: 0)

    #expect(first.row == second.row)
    let binds = trace.held.events.filter {
      if case .bound = $0.action { true } else { false }
    }
    #expect(binds.map(\.time) == [.milliseconds(3), .nanoseconds(3_000_005)])
    let id = SnippetID(rawValue: 1)
    #expect(
      binds.map(\.action) == [
        .bound(slot: 0, id, position: 0, .rowOnly), .bound(slot: 1, id, position: 0, .rowOnly),
      ]
    )
  }

  @Test func `a failure tells of its attempts and delays, and is known afterwards`() throws {
    let fixture = fixture {
      $0.retries.maximumAttemptCount = 2
      $0.retries.jitter = 0
      $0.retries.memory = .seconds(3_600)
    }
    let key = fixture.key(at: 0)
    fixture.source.fail(key, with: LoadError(.unreadable))

    let cell = fixture.boundCell(to: 0)
    fixture.settleWithRetries()
    _ = fixture.boundCell(to: 0)
    fixture.loader.retry(cell)

    let start = try #require(actions.firstIndex(of: .loadStarted(key)))
    #expect(
      actions[start...] == [
        .loadStarted(key),
        .bound(slot: 0, SnippetID(rawValue: 1), position: 0, .pending),
        .loadFailed(key, code: "unreadable", attempt: 1),
        .loadDelayed(key, by: .milliseconds(200)),
        .delivered(slot: 0, key, .loading),
        .loadStarted(key),
        .loadFailed(key, code: "unreadable", attempt: 2),
        .delivered(slot: 0, key, .failed),
        .knownFailure(slot: 1, key, code: "unreadable"),
        .bound(slot: 1, SnippetID(rawValue: 1), position: 0, .failed),
        .retried(.slot(0)),
        .loadStarted(key),
        .pending(slot: 0, key),
      ]
    )
  }

  @Test func `who listens is told all that is recorded, with what it took and why it failed`()
    async throws
  {
    let told = Lock<[LiveEvent]>([])
    let trace = LoaderTrace { event in told.withLock { $0.append(event) } }
    let fixture = ScriptedLoader(rows: nil, trace: trace) {
      $0.ranges = .none
      $0.retries.maximumAttemptCount = 1
      $0.retries.memory = .seconds(3_600)
    }
    let (key, broken) = (fixture.key(at: 0), fixture.key(at: 1))
    fixture.source.fail(broken, with: LoadError(.unreadable))

    _ = fixture.boundCell(to: 0)
    fixture.clock.advance(by: .milliseconds(7))
    fixture.settle()
    _ = fixture.boundCell(to: 1)
    fixture.clock.advance(by: .milliseconds(2))
    fixture.settle()
    _ = fixture.boundCell(to: 1)
    await trace.flush()

    let events = told.withLock { $0 }
    #expect(events.map(\.action) == trace.held.events.map(\.action))
    let loaded = try #require(
      events.first { $0.action == .loadFinished(key, byteCount: 1_000) }
    )
    #expect(loaded.duration == .milliseconds(7) && loaded.error == nil)
    #expect(loaded.description.hasPrefix("loadFinished blob="), "\(loaded)")
    #expect(loaded.description.hasSuffix(" after 0.007 seconds"), "\(loaded)")
    let failed = try #require(
      events.first { $0.action == .loadFailed(broken, code: "unreadable", attempt: 1) }
    )
    #expect(failed.duration == .milliseconds(2))
    #expect((failed.error as? LoadError)?.code == .unreadable)
    let known = try #require(events.last { $0.action.name == "knownFailure" })
    #expect((known.error as? LoadError)?.code == .unreadable)
    #expect(events.allSatisfy { $0.lostCount == 0 })
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test func `who listens may call the loader, and keeps nothing`() async {
    let bound = Lock(0)
    let (isDone, done) = AsyncStream<Void>.makeStream()
    let loader = Lock<SnippetLoader?>(nil)
    let trace = LoaderTrace(capacity: 0) { event in
      guard case .bound = event.action else { return }
      // It would wait for ever if the loader waited for it.
      DispatchQueue.main.sync {
        MainActor.assumeIsolated {
          bound.withLock { $0 = loader.withLock { $0 }?.counters.rowsRead ?? -1 }
        }
      }
      done.finish()
    }
    let fixture = ScriptedLoader(rows: nil, trace: trace) { $0.ranges = .none }
    loader.withLock { $0 = fixture.loader }

    _ = fixture.boundCell(to: 0)
    for await _ in isDone {}

    #expect(bound.withLock { $0 } > 0)
    #expect(trace.held.events.isEmpty)
  }

  @Test func `what nobody wants any more is withdrawn, cancelled or dropped`() {
    let fixture = fixture { $0.workerCount = 1 }
    let (first, second) = (fixture.boundCell(to: 0), fixture.boundCell(to: 1))
    let keys = (fixture.key(at: 0), fixture.key(at: 1))

    fixture.loader.unbind(second)
    fixture.loader.unbind(first)
    fixture.executor.runAll()
    let third = fixture.boundCell(to: 1)
    fixture.executor.runAll()
    fixture.loader.unbind(third)
    fixture.settle()

    let withdrawn = actions.firstIndex(of: .loadWithdrawn(keys.1))
    let cancelled = actions.firstIndex(of: .loadCancelled(keys.0))
    let dropped = actions.firstIndex(of: .dropped(slot: 0, keys.1, .unbound))
    #expect(withdrawn != nil && cancelled != nil && dropped != nil, "\(actions)")
    #expect(
      [withdrawn, cancelled, dropped].compactMap(\.self).sorted()
        == [
          withdrawn, cancelled, dropped,
        ].compactMap(\.self)
    )
  }

  @Test func `a position outside of the list is bound to nothing`() {
    let fixture = fixture(rows: ScriptedRows(count: 1))

    _ = fixture.boundCell(to: 7)

    #expect(actions.last == .bound(slot: nil, nil, position: 7, .failed))
  }

  @Test func `rows that cannot be read are reported`() {
    let fixture = fixture()
    fixture.rows.error = LoadError(.unreadable)

    fixture.loader.show(visible: 0..<5)

    #expect(actions.contains(.rowReadFailed(isAhead: false)), "\(actions)")
  }

  @Test func `rows read ahead are told apart from those that had to be there`() {
    let fixture = ScriptedLoader(trace: trace)
    fixture.loader.show(visible: 0..<10)
    fixture.settle()

    let reads = actions.compactMap { action -> Bool? in
      if case .rowsRead(_, let isAhead, 1_000) = action { isAhead } else { nil }
    }
    #expect(reads.first == false && reads.contains(true), "\(actions)")
  }

  @Test func `whatever is done to the whole loader is told`() {
    let fixture = fixture(rows: ScriptedRows(count: 3))
    fixture.loader.show(visible: 0..<2)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    trace.removeAll()

    fixture.loader.suspend()
    fixture.loader.resume()
    fixture.loader.cancelAll()
    fixture.loader.retryAll()
    fixture.loader.reset(cell)
    fixture.loader.reset(at: 1)
    fixture.loader.resetAll()
    fixture.rows.rows.removeLast()
    fixture.loader.reloadRows()
    fixture.loader.close()

    let told = actions.filter { action in
      switch action {
      case .suspended, .resumed, .allCancelled, .retried, .reset, .listChanged, .closed: true
      default: false
      }
    }
    #expect(
      told == [
        .suspended, .resumed, .allCancelled, .retried(.all), .reset(.slot(0)),
        .reset(.position(1)), .reset(.all), .listChanged(listCount: 2), .closed,
      ]
    )
  }

  @Test(arguments: [0, 1, 2, 4_095, 4_096, 4_097, 9_000])
  func `the newest events are held and the others counted`(capacity: Int) {
    let trace = LoaderTrace(capacity: capacity)
    let fixture = ScriptedLoader(rows: ScriptedRows([]), trace: trace)
    fixture.loader.show(visible: 0..<0)
    let former = trace.held.events.count + trace.lostCount

    for number in 1...10_000 { fixture.loader.show(visible: 0..<number) }

    let held = trace.held
    let moves = held.events.compactMap { event in
      if case .viewportMoved(let visible) = event.action { visible.count } else { nil }
    }
    #expect(held.events.count == capacity)
    #expect(held.lostCount == trace.lostCount)
    #expect(held.lostCount + capacity - former >= 10_000)
    #expect(moves == Array((10_000 - moves.count + 1..<10_001)))
    trace.removeAll()
    #expect(trace.held.events.isEmpty && trace.lostCount == 0)
  }

  @Test(arguments: Array(1...6) as [UInt64])
  func `the events add up to the counters whatever happens`(seed: UInt64) {
    let trace = LoaderTrace(capacity: 1_000_000)
    let world = LoaderWorld(seed: seed, trace: trace)
    for _ in 0..<10 {
      for _ in 0..<300 { world.step() }
      world.fixture.settleWithRetries()
      world.returnAndRetry()
      world.fixture.settleWithRetries()
    }

    #expect(Sums(trace.held.events) == Sums(world.fixture.loader.counters), "seed \(seed)")
    #expect(world.violations.prefix(5) == [], "seed \(seed)")
  }

  @Test func `the events add up when reads run on threads`() async {
    let trace = LoaderTrace(capacity: 1_000_000)
    let world = LoaderWorld(seed: 3, isThreaded: true, trace: trace)
    for _ in 0..<5 {
      for _ in 0..<200 { world.step() }
      await world.fixture.deliverAll()
    }
    world.fixture.loader.cancelAll()
    let counters = world.fixture.loader.counters

    #expect(trace.held.events.count > 1_000)
    #expect(Sums(trace.held.events).hits == Sums(counters).hits)
    #expect(Sums(trace.held.events).delivered == Sums(counters).delivered)
    #expect(trace.held.events.allSatisfy { $0.time >= .zero })
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
  var withdrawn = 0
  var delivered = 0
  var dropped = 0
  var bytes = 0
  var rowReads = 0

  init(_ counters: LoaderCounters) {
    hits = counters.hits
    misses = counters.misses
    started = counters.loadsStarted
    finished = counters.loadsFinished
    failed = counters.loadsFailed
    delayed = counters.loadsDelayed
    cancelled = counters.loadsCancelled
    withdrawn = counters.loadsWithdrawn
    delivered = counters.delivered
    dropped = counters.staleDropped
    bytes = counters.bytesLoaded
    rowReads = counters.rowReads
  }

  init(_ events: [LoaderEvent]) {
    for event in events {
      switch event.action {
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
      case .loadWithdrawn: withdrawn += 1
      case .delivered: delivered += 1
      case .dropped: dropped += 1
      case .rowsRead(_, false, _), .rowReadFailed(false): rowReads += 1
      default: break
      }
    }
  }
}
