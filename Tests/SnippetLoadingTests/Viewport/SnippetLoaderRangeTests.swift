import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderRangeTests {
  /// 10 visible rows; 5 to 30 more ahead and 5 behind are preloaded, in minimum mode 2 ahead.
  private let fixture = ScriptedLoader { configuration in
    typealias Tuning = RangeTuning
    configuration.ranges = .none
    configuration.ranges.lookAhead = Tuning.LookAhead(
      loadCount: 10,
      least: .milliseconds(100),
      most: .seconds(1)
    )
    configuration.ranges[.full].preload = Tuning.Extent(
      leading: Tuning.Reach(least: 0.5, most: 3),
      trailing: Tuning.Reach(0.5)
    )
    configuration.ranges[.minimum].preload.leading = Tuning.Reach(0.2)
  }
  private var loader: SnippetLoader { fixture.loader }

  private func positionsRead() -> Set<Int> {
    Set(fixture.source.reads.map { Int($0.blobID?.rawValue ?? 0) - 1 })
  }

  private func scroll(by rows: Int, frames: Int, from first: Int = 100) {
    for frame in 0..<frames {
      fixture.clock.advance(by: .seconds(1) / 60)
      loader.show(visible: first + rows * frame..<first + rows * frame + 10)
    }
  }

  @Test func `the default mode is full`() {
    #expect(loader.rangeMode == .full)
  }

  @Test(arguments: [
    (RangeMode.full, 95..<115), (.minimum, 100..<112), (.visibleOnly, 100..<110),
    (.lowMemory, 100..<110),
  ])
  func `a mode loads its ranges and nothing else`(
    mode: RangeMode,
    positions: Range<Int>
  ) {
    loader.rangeMode = mode
    loader.show(visible: 100..<110)
    fixture.settle()

    #expect(positionsRead() == Set(positions))
  }

  @Test func `a smaller mode gives up what waits at once`() {
    loader.show(visible: 100..<110)
    let running = loader.counters.loadsRunning

    loader.rangeMode = .visibleOnly

    #expect(loader.counters.loadsWithdrawn == 10)
    fixture.settle()
    #expect(positionsRead() == Set(100..<110))
    #expect(loader.counters.loadsStarted == 10)
    #expect(running <= 4)
  }

  @Test func `a larger mode starts what is missing at once`() {
    loader.rangeMode = .visibleOnly
    loader.show(visible: 100..<110)
    fixture.settle()

    loader.rangeMode = .full
    fixture.settle()

    #expect(positionsRead() == Set(95..<115))
    #expect(fixture.source.reads.count == 20)
  }

  @Test func `little memory keeps what is visible`() {
    loader.show(visible: 100..<110)
    fixture.settle()
    #expect(loader.counters.cacheCount == 20)

    loader.rangeMode = .lowMemory

    #expect(loader.counters.cacheCount == 10)
    for position in 100..<110 { #expect(loader.bind(RecordingCell(), to: position) == .hit) }
  }

  @Test func `a memory warning can come with rows of any size`() {
    fixture.rows.rows = (1...20).map { .image($0, byteCount: .max) }
    loader.show(visible: 0..<10)
    fixture.settle()

    loader.rangeMode = .lowMemory
    loader.rangeMode = .full

    #expect(loader.counters.cacheCost >= 0)
  }

  @Test func `a mode that is set before the first viewport or after the end does nothing yet`() {
    loader.rangeMode = .lowMemory
    #expect(fixture.rows.reads.isEmpty)

    loader.show(visible: 100..<110)
    loader.close()
    fixture.settle()
    let reads = fixture.rows.reads.count
    loader.rangeMode = .full
    fixture.settle()

    #expect(fixture.rows.reads.count == reads)
    #expect(loader.counters.loadsRunning == 0)
  }

  @Test func `a quick movement loads further ahead and only ahead`() {
    scroll(by: 3, frames: 20)
    // About 180 rows in a second, so about 18 within the look-ahead.
    fixture.settle()

    let ahead = (positionsRead().max() ?? 0) - 166
    #expect((9...18).contains(ahead))
    #expect((positionsRead().min() ?? 0) >= 95)
  }

  @Test func `a movement backwards loads further behind`() {
    scroll(by: -3, frames: 20, from: 500)
    fixture.settle()

    let ahead = 443 - (positionsRead().min() ?? 0)
    #expect((9...18).contains(ahead))
  }

  @Test func `the host may say the speed`() {
    loader.show(visible: 100..<110, speed: 125)
    fixture.settle()
    #expect(positionsRead() == Set(95..<123))

    loader.show(visible: 500..<510, speed: -250)
    fixture.settle()
    #expect(positionsRead() == Set(95..<123).union(475..<515))
  }

  @Test func `a jump loads the least around its goal`() {
    scroll(by: 3, frames: 20)
    loader.show(visible: 700..<710)
    fixture.settle()

    #expect(positionsRead().filter { $0 > 300 } == Set(695..<715))
  }

  @Test func `a pause makes the ranges those of rest at the next plan`() {
    scroll(by: 3, frames: 20)
    fixture.clock.advance(by: .seconds(1))
    loader.reloadRows()
    fixture.settle()

    #expect(positionsRead().max() == 166 + 5)
  }

  @Test func `a slow source is asked earlier`() {
    let clock = fixture.clock
    fixture.source.onPiece { _, _ in clock.advance(by: .milliseconds(10)) }
    loader.show(visible: 100..<110)
    fixture.settle()

    // Each of the reads took 40 ms, or as much longer as it waited for others.
    loader.show(visible: 500..<510, speed: 50)
    fixture.settle()

    #expect((positionsRead().max() ?? 0) >= 509 + 20)
    #expect((positionsRead().max() ?? 0) <= 509 + 30)
  }

  @Test func `rows that come into the range by a change of the list are loaded without a movement`()
  {
    loader.show(visible: 100..<110)
    fixture.settle()
    fixture.rows.rows.insert(.image(5_000), at: 112)

    loader.reloadRows()
    fixture.settle()

    #expect(fixture.source.reads.contains(LoadKey(blob: 5_000)))
  }

  @Test func `a list change keeps the mode`() {
    loader.rangeMode = .visibleOnly
    loader.show(visible: 100..<110)
    fixture.rows.rows.insert(.image(5_000), at: 112)
    loader.reloadRows()
    fixture.settle()

    #expect(positionsRead() == Set(100..<110))
  }

  @Test(.seeded)
  func `whatever the mode and the movement only the plan is loaded and all of it`() {
    var random = SeededGenerator()
    for _ in 0..<300 {
      fixture.clock.advance(by: .milliseconds(random.below(300)))
      let first = random.below(990)
      let isModeSetFirst = random.chance(0.5)
      let mode = random.element(of: RangeMode.allCases)
      if isModeSetFirst { loader.rangeMode = mode }
      loader.show(visible: first..<first + 10, speed: random.chance(0.5) ? 0 : nil)
      if !isModeSetFirst { loader.rangeMode = mode }
      fixture.settle()

      for position in first..<first + 10 {
        #expect(loader.bind(RecordingCell(), to: position) == .hit)
      }
      let widest = mode == .full ? 30 : mode == .minimum ? 2 : 0
      let reads = fixture.source.reads.count
      loader.pipeline.trimCache(to: 0)
      loader.show(visible: first..<first + 10)
      fixture.settle()
      let again = fixture.source.reads[reads...].map { Int($0.blobID?.rawValue ?? 0) - 1 }
      #expect(again.allSatisfy { $0 >= first - widest && $0 < first + 10 + widest })
      #expect(Set(again).isSuperset(of: first..<first + 10))
    }
  }
}
