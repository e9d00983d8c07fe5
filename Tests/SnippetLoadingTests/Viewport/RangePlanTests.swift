@testable import SnippetLoading
import Testing

struct RangePlanTests {
  private typealias Segment = RangePlan.Segment
  private typealias Reach = RangeTuning.Reach

  /// Half a viewport to one and a half are about to be visible, two to four are preloaded; one to
  /// two are behind.
  private let ranges = RangeTuning(
    imminent: Reach(least: 0.5, most: 1.5),
    leading: Reach(least: 2, most: 4),
    trailing: Reach(least: 1, most: 2)
  )

  private func plan(
    _ visible: Range<Int>,
    speed: Double = 0,
    ranges: RangeTuning? = nil,
    lookAhead: Duration = .milliseconds(500),
    pace: LoadPace? = nil,
    count: Int = 1_000,
    maximumCount: Int = 500
  ) -> RangePlan {
    let start = ContinuousClock.now
    var viewport = Viewport(visible: visible, at: start)
    viewport.move(to: visible, at: start, speed: speed)
    return RangePlan(
      viewport: viewport,
      ranges: ranges ?? self.ranges,
      lookAhead: lookAhead,
      pace: pace,
      count: count,
      maximumCount: maximumCount
    )
  }

  @Test func `what is visible comes first then what is about to be then what is ahead and behind`()
  {
    let plan = plan(100..<110)

    #expect(
      plan.segments == [
        Segment(positions: 100..<110, range: .visible, isReversed: false),
        Segment(positions: 110..<115, range: .imminent, isReversed: false),
        Segment(positions: 115..<130, range: .preload, isReversed: false),
        Segment(positions: 90..<100, range: .preload, isReversed: true),
      ]
    )
    #expect(plan.segments.map(\.priority) == [.visible, .imminent, .preload, .preload])
    #expect(plan.bounds == 90..<130)
  }

  /// Loads of 50 ms, three at a time: 60 rows a second.
  private let pace = LoadPace(serviceTime: .milliseconds(50), loadCount: 3, loadsPerRow: 1)

  @Test func `in a list faster than its loads what a load still meets comes first`() {
    let plan = plan(100..<110, speed: 80, pace: pace)

    // A load takes as long as four rows to come in. The imminent range ends after 15 rows.
    #expect(
      plan.segments.map(\.positions) == [
        114..<124, 100..<110, 110..<114, 124..<125, 125..<150, 80..<100,
      ]
    )
    #expect(
      plan.segments.map(\.priority) == [
        .visible, .visible, .imminent, .imminent, .preload, .preload,
      ]
    )
    #expect(plan.bounds == self.plan(100..<110, speed: 80).bounds)
  }

  @Test func `in a fast list that moves back what a load still meets lies before`() {
    let plan = plan(100..<110, speed: -80, pace: pace)

    #expect(plan.segments[0].positions == 86..<96)
    #expect(plan.segments[0].isReversed)
    #expect(plan.segments[1].positions == 100..<110)
  }

  @Test(arguments: [0, 30, 60.0])
  func `in a list that its loads can follow what is visible comes first`(speed: Double) {
    #expect(plan(100..<110, speed: speed, pace: pace) == plan(100..<110, speed: speed))
  }

  @Test func `what a load meets ends with the ranges and the list`() {
    #expect(plan(100..<110, speed: 1e9, pace: pace) == plan(100..<110, speed: 1e9))
    let plan = plan(980..<990, speed: 80, pace: pace)
    #expect(plan.segments[0].positions == 994..<1_000)
    #expect(plan.bounds.upperBound == 1_000)
  }

  @Test func `moving back turns the ranges round`() {
    let plan = plan(100..<110, speed: -0.1)

    #expect(
      plan.segments == [
        Segment(positions: 100..<110, range: .visible, isReversed: false),
        Segment(positions: 95..<100, range: .imminent, isReversed: true),
        Segment(positions: 80..<95, range: .preload, isReversed: true),
        Segment(positions: 110..<120, range: .preload, isReversed: false),
      ]
    )
  }

  @Test func `in a movement the visible rows that came in last come first`() {
    #expect(plan(100..<110, speed: 1).segments.first?.isReversed == true)
    #expect(plan(100..<110, speed: -1).segments.first?.isReversed == false)
    #expect(plan(100..<110).segments.first?.isReversed == false)
  }

  @Test(arguments: [
    // Rows per second, then the ends of imminent and preload range, ahead and behind.
    (0.0, 115, 130, 90), (10, 115, 130, 90), (20, 120, 130, 90),
    (50, 125, 135, 80), (60, 125, 140, 80), (1e9, 125, 150, 80),
  ])
  func `ranges grow with the speed between their least and their most`(
    speed: Double,
    imminent: Int,
    preload: Int,
    preloadBehind: Int
  ) {
    let plan = plan(100..<110, speed: speed, lookAhead: .milliseconds(500))
    let shown = plan.segments.filter { $0.range == .imminent }.map(\.positions)

    #expect(shown == [110..<imminent])
    #expect(plan.bounds == preloadBehind..<preload)
  }

  @Test func `the longer the look ahead the further the ranges`() {
    #expect(plan(100..<110, speed: 60, lookAhead: .milliseconds(100)).bounds.upperBound == 130)
    #expect(plan(100..<110, speed: 60, lookAhead: .milliseconds(375)).bounds.upperBound == 133)
    #expect(plan(100..<110, speed: 60, lookAhead: .seconds(60)).bounds.upperBound == 150)
    #expect(plan(100..<110, speed: 60, lookAhead: .zero).bounds.upperBound == 130)
  }

  @Test func `an imminent range that is longer than the preload range takes its place`() {
    let ranges = RangeTuning(
      imminent: Reach(2),
      leading: Reach(1),
      trailing: Reach(0)
    )

    #expect(
      plan(100..<110, ranges: ranges).segments.map(\.positions) == [100..<110, 110..<130]
    )
  }

  @Test func `without ranges only what is visible is in the plan`() {
    let plan = plan(100..<110, speed: 1_000, ranges: RangeTuning.none)

    #expect(plan.segments.map(\.range) == [.visible])
    #expect(plan.bounds == 100..<110)
  }

  @Test func `when there is room for few rows the most urgent are in the plan`() {
    let plan = plan(100..<110, maximumCount: 20)

    #expect(plan.segments.map(\.positions) == [100..<110, 110..<115, 115..<120])
  }

  @Test func `the nearest row behind the edge is the first of its stretch`() {
    var positions: [Int] = []
    Segment(positions: 80..<84, range: .preload, isReversed: true).forEachPosition {
      positions.append($0)
    }

    #expect(positions == [83, 82, 81, 80])
  }

  @Test(arguments: [
    (0..<10, 10), (0..<0, 0), (5..<50, 8), (990..<1_000, 1_000), (2_000..<2_010, 1_000),
    (0..<1_000_000, 1_000_000), (Int.max - 10..<Int.max, Int.max), (0..<10, -1),
  ])
  func `a plan stays in the list and within its size`(visible: Range<Int>, count: Int) {
    let endless = Reach(least: .nan, most: .infinity)
    let ranges = RangeTuning(imminent: endless, leading: endless, trailing: endless)
    for speed in [0, -1e300, 1e300, .nan, .infinity] {
      for maximumCount in [1, 300, Int.max] {
        let plan = plan(
          visible,
          speed: speed,
          ranges: ranges,
          lookAhead: .seconds(60),
          count: count,
          maximumCount: maximumCount
        )

        #expect(plan.bounds.clamped(to: 0..<max(0, count)) == plan.bounds)
        #expect(plan.segments.reduce(0) { $0 + $1.positions.count } == plan.bounds.count)
        #expect(plan.bounds.count <= maximumCount)
      }
    }
  }
}
