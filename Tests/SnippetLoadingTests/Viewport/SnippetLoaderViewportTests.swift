import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderViewportTests {
  /// 10 visible rows; 5 ahead are imminent, 10 more ahead and 5 behind are preloaded.
  private let fixture = ScriptedLoader { configuration in
    configuration.ranges = .init(imminent: 0.5, leading: 1.5, trailing: 0.5)
    configuration.workerCount = 1
  }
  private var loader: SnippetLoader { fixture.loader }

  @Test func `visible rows load first then those ahead then those behind`() {
    loader.show(visible: 95..<105)
    loader.show(visible: 100..<110)
    fixture.settle()

    // The load of 95 had a worker already, and goes on.
    let order = [95] + Array(100..<125) + Array(96..<100).reversed()
    #expect(fixture.positionsRead == order)
    #expect(loader.counters.cacheCount == 30)
  }

  @Test func `loads of rows that left the range are cancelled`() {
    loader.show(visible: 100..<110)
    #expect(loader.counters.loadsRunning == 1)

    loader.show(visible: 500..<510)
    fixture.settle()

    #expect(fixture.positionsRead.allSatisfy { (495..<525).contains($0) })
    #expect(loader.counters.loadsWithdrawn == 29)
    #expect(loader.counters.loadsCancelled == 1)
  }

  @Test func `a bound cell keeps its load when its row leaves the range`() {
    loader.show(visible: 100..<110)
    let cell = fixture.boundCell(to: 109)

    loader.show(visible: 500..<510)
    fixture.settle()

    #expect(cell.state == fixture.bytes(at: 109))
  }

  @Test func `what a bound cell wants comes after what is on screen now`() {
    loader.show(visible: 100..<110)
    let cell = fixture.boundCell(to: 109)

    loader.show(visible: 500..<510)
    fixture.settle()

    #expect(cell.bytes != nil)
    #expect(fixture.positionsRead.prefix(15) == Array(500..<515)[...])
  }

  @Test func `preloaded rows are hits when they are bound`() {
    loader.show(visible: 100..<110)
    fixture.settle()

    for position in 95..<125 {
      #expect(loader.bind(RecordingCell(), to: position) == .hit)
    }
    #expect(loader.counters.misses == 0)
  }

  @Test func `each movement reads rows once at most and a slow scroll seldom`() {
    for first in 0..<200 {
      let reads = fixture.rows.reads.count
      loader.show(visible: first..<first + 10)
      for position in first..<first + 10 { loader.bind(RecordingCell(), to: position) }
      #expect(fixture.rows.reads.count <= reads + 1)
    }
    #expect(fixture.rows.reads.count < 20)
    #expect(loader.counters.rowReads == fixture.rows.reads.count)
  }

  @Test func `a jump reads rows around its goal only`() {
    loader.show(visible: 0..<10)
    loader.show(visible: 900..<910)

    #expect(fixture.rows.reads.count == 2)
    #expect(loader.counters.rowsRead < 150)
  }

  @Test func `a visible load does not wait for preloads`() {
    let fixture = ScriptedLoader { configuration in
      configuration.workerCount = 3
      configuration.reservedVisibleWorkers = 1
    }
    fixture.loader.show(visible: 0..<10)
    fixture.settle()
    // Two preloads run now, and nothing is read yet.
    fixture.loader.show(visible: 3..<13)
    #expect(fixture.loader.counters.loadsRunning == 2)

    _ = fixture.boundCell(to: 999)
    #expect(fixture.loader.counters.loadsRunning == 2)
    fixture.loader.show(visible: 990..<1_000)

    #expect(fixture.loader.counters.loadsRunning == 3)
  }

  @Test func `nothing is loaded ahead that the cache has no room for`() {
    let fixture = ScriptedLoader { $0.cacheByteLimit = 12 * 1_128 }
    for first in 0..<50 {
      fixture.loader.show(visible: first..<first + 10)
      fixture.settle()
    }

    #expect(Set(fixture.source.reads).count == fixture.source.reads.count)
    #expect(fixture.loader.counters.cacheEvictions < 60)
    #expect(fixture.loader.counters.cacheCost <= 12 * 1_128)
  }

  @Test func `without a cache only bound cells load and a rest loads nothing again`() {
    let fixture = ScriptedLoader { $0.cacheByteLimit = 0 }
    fixture.loader.show(visible: 0..<10)
    let cells = (0..<10).map { fixture.boundCell(to: $0) }
    fixture.settle()
    fixture.loader.show(visible: 0..<10)
    fixture.settle()

    #expect(cells.allSatisfy { $0.bytes != nil })
    #expect(fixture.source.reads.count == 10)
  }

  @Test func `rows that say less than their blobs hold are not loaded over and over`() {
    let fixture = ScriptedLoader(rows: ScriptedRows(count: 100, byteCount: 1)) {
      $0.cacheByteLimit = 3_000
    }
    for _ in 0..<5 {
      fixture.loader.show(visible: 0..<10)
      fixture.settle()
    }

    #expect(fixture.source.reads.count <= 30)
    #expect(fixture.loader.counters.cacheCost <= 3_000)
  }

  @Test func `a range beyond the list is cut and an empty list is no matter`() {
    for range in [
      990..<2_000, -50 ..< -10, 5_000..<6_000, 0..<1_000_000, 0 ..< .max, .max - 5 ..< .max,
      .min ..< .max,
    ] as [Range<Int>] {
      loader.show(visible: range)
      let unread = ScriptedLoader()
      unread.rows.error = LoadError(.unreadable)
      unread.loader.show(visible: range)
    }
    fixture.rows.rows = []
    loader.reloadRows()
    loader.show(visible: 0..<10)
    fixture.settle()

    #expect(loader.counters.rowsRead < 4_000)
    #expect(fixture.rows.reads.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= 1_000 })
  }

  @Test func `a cell bound far from the viewport costs a small read`() {
    loader.show(visible: 0..<10)
    for position in stride(from: 0, to: 1_000, by: 7) {
      loader.bind(RecordingCell(), to: position)
    }

    #expect(fixture.rows.reads.allSatisfy { $0.count <= 50 })
  }

  @Test func `giving up everything stops all loads and the next viewport starts them again`() {
    loader.show(visible: 100..<110)
    let cell = fixture.boundCell(to: 105)

    loader.cancelAll()
    fixture.settle()
    #expect(fixture.source.reads.isEmpty)
    #expect(cell.states == [.waiting])

    loader.show(visible: 100..<110)
    fixture.settle()
    #expect(cell.states == [.waiting, fixture.bytes(at: 105)])
  }

  @Test func `mail on its way when everything is cancelled does not come and the blob does later`()
  {
    loader.show(visible: 100..<110)
    let cell = fixture.boundCell(to: 100)
    fixture.executor.runNext()

    loader.cancelAll()
    fixture.settle()
    #expect(cell.states == [.waiting])

    loader.show(visible: 100..<110)
    #expect(cell.states == [.waiting, fixture.bytes(at: 100)])
  }

  @Test func `a trim spares what is on screen`() {
    loader.show(visible: 100..<110)
    fixture.settle()

    loader.pipeline.trimCache(to: 10 * 1_128)

    #expect(loader.counters.cacheCount == 10)
    for position in 100..<110 { #expect(loader.bind(RecordingCell(), to: position) == .hit) }
    loader.pipeline.trimCache(to: 0)
    #expect(loader.counters.cacheCost == 0)
  }
}
