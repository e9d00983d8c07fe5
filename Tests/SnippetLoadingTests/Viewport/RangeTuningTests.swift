@testable import SnippetLoading
import Testing

struct RangeTuningTests {
  private typealias Tuning = RangeTuning

  @Test(arguments: [
    (0.5, 2.0, 0.5, 2.0), (2, 0.5, 2, 2), (-1, -1, 0, 0), (.nan, .nan, 0, 0), (.nan, 1, 0, 1),
    (.infinity, 1, 100, 100), (1, .infinity, 1, 100), (-.infinity, 1e300, 0, 100),
  ])
  func `a reach is brought into bounds`(
    least: Double,
    most: Double,
    actualLeast: Double,
    actualMost: Double
  ) {
    var reach = Tuning.Reach(least: least, most: most)
    #expect(reach.least == actualLeast)
    #expect(reach.most == actualMost)

    reach = .none
    reach.most = most
    reach.least = least
    #expect(reach == Tuning.Reach(least: least, most: most))
  }

  @Test func `the most that is set below the least is the least`() {
    var reach = Tuning.Reach(2)
    reach.most = 1

    #expect(reach.most == 2)
  }

  @Test(arguments: [
    (Duration?.none, 200), (.milliseconds(1), 200), (.milliseconds(30), 300),
    (.milliseconds(40), 400), (.seconds(1), 600), (.seconds(1 << 60), 600), (.seconds(-1), 200),
  ])
  func `a look ahead is a bounded multiple of the service time`(
    serviceTime: Duration?,
    milliseconds: Int
  ) {
    let lookAhead = Tuning.LookAhead(
      loadCount: 10,
      least: .milliseconds(200),
      most: .milliseconds(600)
    )

    #expect(lookAhead.duration(serviceTime: serviceTime) == .milliseconds(milliseconds))
  }

  @Test func `a look ahead is brought into bounds`() {
    var lookAhead = Tuning.LookAhead(
      loadCount: .nan,
      least: .seconds(-1),
      most: .seconds(1 << 60)
    )
    #expect(lookAhead.loadCount == 0)
    #expect(lookAhead.least == .zero)
    #expect(lookAhead.most == .seconds(60))

    lookAhead.loadCount = .infinity
    lookAhead.least = .seconds(1 << 60)
    lookAhead.most = .seconds(-1)
    #expect(lookAhead.loadCount == 1_000)
    #expect(lookAhead.duration(serviceTime: .seconds(1 << 60)) == .seconds(60))
  }

  @Test func `a list that is beside something loads less ahead`() {
    let (full, minimum) = (Tuning(), Tuning.minimum)

    #expect(minimum.preload.leading.most < full.preload.leading.least)
    #expect(minimum.preload.leading.most > 0)
    #expect(Tuning.none.widestReach == 0 && full.widestReach == 6)
  }

  @Test func `a tuning without speed is the same at every speed`() {
    let ranges = Tuning(imminent: 3, leading: 2, trailing: 1)

    #expect(ranges.imminent.leading == .init(2))
    #expect(ranges.preload.leading == .init(2))
    #expect(ranges.preload.trailing == .init(1))
  }

  @Test func `a limit narrows each side to its own reach, and widens none`() {
    let ranges = Tuning(imminent: 0.05, leading: 3, trailing: 0)

    let limited = ranges.limited(to: .minimum)

    #expect(limited == Tuning(imminent: 0.05, leading: 0.25, trailing: 0))
    #expect(Tuning().limited(to: .minimum) == .minimum)
    #expect(Tuning.none.limited(to: .minimum) == .none)
  }
}

extension RangeTuning {
  /// Makes ranges of any form.
  init(imminent: Extent, preload: Extent) {
    self = .none
    (self.imminent, self.preload) = (imminent, preload)
  }
}
