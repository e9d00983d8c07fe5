@testable import SnippetLoader
import Testing

struct RangePlanTests {
  private typealias Segment = RangePlan.Segment

  private func plan(
    _ viewport: Viewport,
    tuning: SnippetLoader.RangeTuning = .init(imminent: 0.5, leading: 2, trailing: 1),
    count: Int = 1_000,
    maximumCount: Int = 500
  ) -> RangePlan {
    RangePlan(viewport: viewport, tuning: tuning, count: count, maximumCount: maximumCount)
  }

  private func moved(from former: Range<Int>, to visible: Range<Int>) -> Viewport {
    var viewport = Viewport(visible: former)
    viewport.move(to: visible)
    return viewport
  }

  @Test func `ahead of the movement comes before behind it`() {
    let plan = plan(moved(from: 90..<100, to: 100..<110))

    #expect(
      plan.segments == [
        Segment(positions: 100..<110, priority: .visible, isReversed: false),
        Segment(positions: 110..<115, priority: .imminent, isReversed: false),
        Segment(positions: 115..<130, priority: .preload, isReversed: false),
        Segment(positions: 90..<100, priority: .preload, isReversed: true),
      ]
    )
    #expect(plan.bounds == 90..<130)
  }

  @Test func `moving back turns the ranges round`() {
    let plan = plan(moved(from: 110..<120, to: 100..<110))

    #expect(
      plan.segments == [
        Segment(positions: 100..<110, priority: .visible, isReversed: false),
        Segment(positions: 95..<100, priority: .imminent, isReversed: true),
        Segment(positions: 80..<95, priority: .preload, isReversed: true),
        Segment(positions: 110..<120, priority: .preload, isReversed: false),
      ]
    )
  }

  @Test func `the nearest row behind the edge is the first of its stretch`() {
    var positions: [Int] = []
    Segment(positions: 80..<84, priority: .preload, isReversed: true).forEachPosition {
      positions.append($0)
    }

    #expect(positions == [83, 82, 81, 80])
  }

  @Test func `a viewport that stays keeps its direction`() {
    var viewport = moved(from: 110..<120, to: 100..<110)
    viewport.move(to: 100..<110)

    #expect(viewport.direction == .backward)
  }

  @Test(arguments: [
    (0..<10, 10), (0..<0, 0), (5..<50, 8), (990..<1_000, 1_000), (2_000..<2_010, 1_000),
    (0..<1_000_000, 1_000_000),
  ])
  func `a plan stays in the list and within its size`(visible: Range<Int>, count: Int) {
    for tuning in [.none, .init(imminent: .infinity, leading: .infinity, trailing: .nan)]
      as [SnippetLoader.RangeTuning]
    {
      let plan = plan(Viewport(visible: visible), tuning: tuning, count: count, maximumCount: 300)

      #expect(plan.bounds.clamped(to: 0..<count) == plan.bounds)
      #expect(plan.segments.reduce(0) { $0 + $1.positions.count } == plan.bounds.count)
      #expect(plan.bounds.count <= 300)
    }
  }
}
