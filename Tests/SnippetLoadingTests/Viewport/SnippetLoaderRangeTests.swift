@testable import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderRangeTests {
  /// 10 visible rows; 5 to 30 more ahead and 5 behind are preloaded.
  private nonisolated static let wide = {
    var ranges = RangeTuning.none
    ranges.leading = RangeTuning.Reach(least: 0.5, most: 3)
    ranges.trailing = RangeTuning.Reach(0.5)
    return ranges
  }()
  /// 2 rows ahead are preloaded.
  private nonisolated static let narrow = RangeTuning(imminent: 0, leading: 0.2, trailing: 0)

  private let fixture = ScriptedLoader { $0.ranges = Self.wide }
  private var loader: SnippetLoader { fixture.loader }

  private func positionsRead() -> Set<Int> {
    Set(fixture.positionsRead)
  }

  private func scroll(by rows: Int, from first: Int = 100) {
    for frame in 0..<20 {
      fixture.clock.advance(by: .seconds(1) / 30)
      loader.show(visible: first + rows * frame..<first + rows * frame + 10)
    }
  }

  @Test func `the ranges are those of the configuration until others are set`() {
    #expect(loader.ranges == Self.wide)
    #expect(ScriptedLoader().loader.ranges == RangeTuning())
  }

  @Test(arguments: [(wide, 95..<115), (narrow, 100..<112), (RangeTuning.none, 100..<110)])
  func `ranges are loaded and nothing else`(
    ranges: RangeTuning,
    positions: Range<Int>
  ) {
    loader.ranges = ranges
    loader.show(visible: 100..<110)
    fixture.settle()

    #expect(positionsRead() == Set(positions))
  }

  @Test(arguments: [
    (MemoryPressure.normal, 95..<115), (.warning, 99..<113), (.critical, 100..<110),
  ])
  func `little memory narrows the ranges`(pressure: MemoryPressure, positions: Range<Int>) {
    loader.respond(to: pressure)
    loader.show(visible: 100..<110)
    fixture.settle()

    #expect(positionsRead() == Set(positions))
  }

  @Test func `smaller ranges give up what waits at once`() {
    loader.show(visible: 100..<110)
    let running = loader.counters.loadsRunning

    loader.ranges = .none

    #expect(loader.counters.loadsWithdrawn == 10)
    fixture.settle()
    #expect(positionsRead() == Set(100..<110))
    #expect(loader.counters.loadsStarted == 10)
    #expect(running <= 4)
  }

  @Test func `larger ranges start what is missing at once`() {
    loader.ranges = .none
    loader.show(visible: 100..<110)
    fixture.settle()

    loader.ranges = Self.wide
    fixture.settle()

    #expect(positionsRead() == Set(95..<115))
    #expect(fixture.source.reads.count == 20)
  }

  @Test func `little memory keeps what is visible`() {
    loader.show(visible: 100..<110)
    fixture.settle()
    #expect(loader.counters.cacheCount == 20)

    loader.respond(to: .critical)

    #expect(loader.counters.cacheCount == 10)
    for position in 100..<110 { #expect(loader.bind(RecordingCell(), to: position) == .hit) }
  }

  @Test func `a memory warning can come with rows of any size`() {
    fixture.rows.rows = (1...20).map { .image($0, byteCount: .max) }
    loader.show(visible: 0..<10)
    fixture.settle()

    loader.respond(to: .critical)
    loader.respond(to: .normal)

    #expect(loader.counters.cacheCost >= 0)
  }

  @Test func `ranges that are set before the first viewport or after the end do nothing yet`() {
    loader.ranges = .none
    #expect(fixture.rows.reads.isEmpty)

    loader.show(visible: 100..<110)
    loader.close()
    fixture.settle()
    let reads = fixture.rows.reads.count
    loader.ranges = Self.wide
    fixture.settle()

    #expect(fixture.rows.reads.count == reads)
    #expect(loader.counters.loadsRunning == 0)
  }

  @Test func `a quick movement loads further ahead and only ahead`() {
    scroll(by: 3)
    // About 90 rows in a second, so about 18 within the look-ahead.
    fixture.settle()

    let ahead = (positionsRead().max() ?? 0) - 166
    #expect((9...18).contains(ahead))
    #expect((positionsRead().min() ?? 0) >= 95)
  }

  @Test func `a movement backwards loads further behind`() {
    scroll(by: -3, from: 500)
    fixture.settle()

    let ahead = 443 - (positionsRead().min() ?? 0)
    #expect((9...18).contains(ahead))
  }

  @Test func `the host may say the speed`() {
    loader.show(visible: 100..<110, speed: 62.5)
    fixture.settle()
    #expect(positionsRead() == Set(95..<123))

    loader.show(visible: 500..<510, speed: -125)
    fixture.settle()
    #expect(positionsRead() == Set(95..<123).union(475..<515))
  }

  @Test func `a jump loads the least around its goal`() {
    scroll(by: 3)
    loader.show(visible: 700..<710)
    fixture.settle()

    #expect(positionsRead().filter { $0 > 300 } == Set(695..<715))
  }

  @Test func `a pause makes the ranges those of rest at the next plan`() {
    scroll(by: 3)
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

  @Test func `a list change keeps the ranges`() {
    loader.ranges = .none
    loader.show(visible: 100..<110)
    fixture.rows.rows.insert(.image(5_000), at: 112)
    loader.reloadRows()
    fixture.settle()

    #expect(positionsRead() == Set(100..<110))
  }

  @Test(.seeded)
  func `whatever the ranges and the movement only the plan is loaded and all of it`() {
    var random = SeededGenerator()
    for _ in 0..<300 {
      fixture.clock.advance(by: .milliseconds(random.below(300)))
      let first = random.below(990)
      let isSetFirst = random.chance(0.5)
      let ranges = random.element(of: [Self.wide, Self.narrow, .none])
      if isSetFirst { loader.ranges = ranges }
      loader.show(visible: first..<first + 10, speed: random.chance(0.5) ? 0 : nil)
      if !isSetFirst { loader.ranges = ranges }
      fixture.settle()

      for position in first..<first + 10 {
        #expect(loader.bind(RecordingCell(), to: position) == .hit)
      }
      let widest = Int(ranges.widestReach * 10)
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
