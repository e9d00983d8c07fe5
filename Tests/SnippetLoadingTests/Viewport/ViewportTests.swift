@testable import SnippetLoading
import SnippetTestSupport
import Testing

struct ViewportTests {
  private let start = ContinuousClock.now

  /// A viewport of ten rows that moves by as many rows in each step, sixty times a second.
  private func moving(_ rows: [Int]) -> Viewport {
    var first = 1_000
    var viewport = Viewport(visible: first..<first + 10, at: start)
    for (number, distance) in rows.enumerated() {
      first += distance
      viewport.move(to: first..<first + 10, at: frame(number + 1))
    }
    return viewport
  }

  private func frame(_ number: Int) -> ContinuousClock.Instant {
    start + .seconds(1) / 60 * number
  }

  @Test func `a list is read forward until it moves`() {
    let viewport = Viewport(visible: 5..<15, at: start)

    #expect(viewport.direction == .forward)
    #expect(viewport.speed == 0)
  }

  @Test func `an even movement comes to its speed within a fifth of a second`() {
    let forward = moving(Array(repeating: 2, count: 12))
    let backward = moving(Array(repeating: -2, count: 12))

    #expect(abs(forward.speed - 120) < 12)
    #expect(forward.speed == -backward.speed)
    #expect(forward.viewportsPerSecond == backward.viewportsPerSecond)
    #expect(backward.direction == .backward)
  }

  @Test func `a speed that is known counts in full and a measured one without what may be chance`()
  {
    var viewport = moving([1])
    #expect(viewport.speed > 0)
    #expect(viewport.viewportsPerSecond == 0)

    viewport = moving(Array(repeating: 2, count: 12))
    #expect(viewport.viewportsPerSecond < viewport.speed / 10)
    #expect(viewport.viewportsPerSecond > 0.95 * viewport.speed / 10)

    viewport.move(to: viewport.visible, at: frame(13), speed: 5)
    #expect(viewport.viewportsPerSecond == 0.5)
  }

  @Test func `rows that come one by one make an even speed`() {
    let viewport = moving((0..<60).map { $0 % 3 == 0 ? 1 : 0 })

    #expect((10..<30).contains(viewport.speed))
  }

  @Test func `a movement that runs out comes to rest`() {
    let viewport = moving(Array(repeating: 2, count: 12) + Array(repeating: 0, count: 13))

    #expect(viewport.speed == 0)
    #expect(viewport.direction == .forward)
  }

  @Test func `a viewport that stays keeps its direction`() {
    #expect(moving([-3, 0, 0]).direction == .backward)
  }

  @Test func `one step back in a quick movement forward does not turn it round`() {
    #expect(moving([4, 4, 4, 4, 4, -1]).direction == .forward)
    #expect(moving([4, 4, 4, 4, 4, -4, -4, -4, -4, -4, -4, -4]).direction == .backward)
  }

  @Test func `a long pause means rest`() {
    var viewport = moving(Array(repeating: 2, count: 12))
    let end = frame(12)
    viewport.wait(until: end + .milliseconds(100))
    #expect(viewport.speed > 100)

    viewport.wait(until: end + .milliseconds(201))
    #expect(viewport.speed == 0)
  }

  @Test func `a step after a pause has the speed of the pause not that of before`() {
    var viewport = moving(Array(repeating: 5, count: 12))
    let visible = viewport.visible
    viewport.move(
      to: visible.lowerBound + 1..<visible.upperBound + 1,
      at: frame(12) + .seconds(1)
    )

    #expect((0...1).contains(viewport.speed))
  }

  @Test(arguments: [31, -31, 500])
  func `a jump has a direction and no speed`(rows: Int) {
    let viewport = moving([2, 2, 2, 2, rows])

    #expect(viewport.speed == 0)
    #expect(viewport.direction == (rows > 0 ? .forward : .backward))
  }

  @Test func `a step of three viewports is still a movement`() {
    #expect(moving([30]).speed > 300)
  }

  @Test func `steps in one instant count together when the time is known`() {
    var viewport = Viewport(visible: 100..<110, at: start)
    viewport.move(to: 101..<111, at: start)
    #expect(viewport.speed == 0)
    #expect(viewport.direction == .forward)
    viewport.move(to: 102..<112, at: frame(1))

    #expect(viewport.speed == moving([2]).speed)
  }

  @Test func `a clock that goes back is no movement back`() {
    var viewport = moving([2, 2, 2])
    let speed = viewport.speed
    let visible = viewport.visible
    viewport.move(
      to: visible.lowerBound + 2..<visible.upperBound + 2,
      at: start - .seconds(5)
    )

    #expect(viewport.speed == speed)
    #expect(viewport.direction == .forward)
  }

  @Test func `the host knows the speed better`() {
    var viewport = moving([2, 2, 2])
    viewport.move(to: viewport.visible, at: frame(4), speed: -33)
    #expect(viewport.speed == -33)
    #expect(viewport.direction == .backward)

    viewport.move(to: 5_000..<5_010, at: frame(5), speed: 40)
    #expect(viewport.speed == 40)
    viewport.move(to: 5_000..<5_010, at: frame(6), speed: 0)
    #expect(viewport.speed == 0)
    #expect(viewport.direction == .forward)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a speed that is no number counts as not given`(speed: Double) {
    var viewport = Viewport(visible: 100..<110, at: start)
    viewport.move(to: 102..<112, at: frame(1), speed: speed)

    #expect(viewport.speed == moving([2]).speed)
  }

  private func plan(_ viewport: Viewport) -> RangePlan {
    var ranges = RangeTuning.none
    ranges.leading = .init(least: 1, most: 3)
    return RangePlan(
      viewport: viewport,
      ranges: ranges,
      lookAhead: .milliseconds(100),
      count: 10_000,
      maximumCount: 1_000
    )
  }

  @Test(arguments: [1, -1])
  func `what was loaded ahead is kept until the list turns, rests or leaps`(sign: Int) {
    var viewport = moving(Array(repeating: 4 * sign, count: 12))
    viewport.note(plan(viewport))
    let ahead = viewport.rowsAskedAhead
    #expect((20...30).contains(ahead))

    let visible = viewport.visible
    viewport.move(
      to: visible.lowerBound + sign..<visible.upperBound + sign,
      at: frame(16)
    )
    #expect(viewport.rowsAskedAhead == ahead - 1)
    #expect(plan(viewport).bounds.count == 10 + ahead - 1)

    var turned = viewport
    turned.move(to: visible, at: frame(30))
    #expect(turned.rowsAskedAhead == 0)
    #expect(plan(turned).bounds.count == 20)

    var rested = viewport
    rested.wait(until: frame(60))
    #expect(rested.rowsAskedAhead == 0)
    rested.move(to: rested.visible, at: frame(61), speed: Double(sign))
    #expect(rested.rowsAskedAhead == 0)

    var leapt = viewport
    leapt.move(to: 5_000..<5_010, at: frame(17), speed: Double(sign))
    #expect(leapt.rowsAskedAhead == 0)
  }

  @Test func `what is kept of a former plan is never more than the ranges allow`() {
    var viewport = moving(Array(repeating: 4, count: 12))
    let visible = viewport.visible
    viewport.note(plan(viewport))
    viewport.move(to: visible.lowerBound - 29..<visible.upperBound - 29, at: frame(13), speed: 1)

    #expect(viewport.rowsAskedAhead > 30)
    #expect(plan(viewport).bounds.count == 40)
  }

  @Test func `a list that becomes shorter is no movement`() {
    var viewport = moving([2, 2, 2])
    let speed = viewport.speed
    viewport.keep(50..<50)

    #expect(viewport.visible == 50..<50)
    #expect(viewport.speed == speed)
    viewport.move(to: 40..<50, at: frame(4))
    #expect(viewport.speed == 0)
  }

  @Test(.seeded)
  func `no movement makes a speed beyond that of its steps`() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      var viewport = Viewport(visible: 0..<10, at: start)
      var instant = start
      var first = 0
      var quickest = 0.0
      for _ in 0..<50 {
        let pause = Duration.milliseconds(1 + random.below(400))
        let former = first
        first = max(0, first + random.below(61) - 30)
        instant += pause
        viewport.move(to: first..<first + 10, at: instant)
        quickest = max(quickest, abs(Double(first - former)) / (pause / .seconds(1)))
        #expect(abs(viewport.speed) <= quickest + 0.001)
      }
    }
  }
}
