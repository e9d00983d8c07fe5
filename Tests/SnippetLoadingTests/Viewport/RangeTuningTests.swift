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
    let reach = Tuning.Reach(least: least, most: most)

    #expect(reach.least == actualLeast)
    #expect(reach.most == actualMost)
  }

  @Test(arguments: [
    (Duration?.none, 200), (.milliseconds(1), 200), (.milliseconds(10), 240),
    (.milliseconds(15), 360), (.seconds(1), 400), (.seconds(1 << 60), 400), (.seconds(-1), 200),
  ])
  func `a look ahead is a bounded multiple of the service time`(
    serviceTime: Duration?,
    milliseconds: Int
  ) {
    #expect(Tuning.lookAhead(serviceTime: serviceTime) == .milliseconds(milliseconds))
  }

  @Test func `a list that is beside something loads less ahead`() {
    let (full, minimum) = (Tuning(), Tuning.minimum)

    #expect(minimum.leading.most < full.leading.least)
    #expect(minimum.leading.most > 0)
    #expect(Tuning.none.widestReach == 0 && full.widestReach == 6)
  }

  @Test func `a tuning without speed is the same at every speed`() {
    let ranges = Tuning(imminent: 3, leading: 2, trailing: 1)

    #expect(ranges.imminent == .init(2))
    #expect(ranges.leading == .init(2))
    #expect(ranges.trailing == .init(1))
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
  init(imminent: Reach, leading: Reach, trailing: Reach) {
    self = .none
    (self.imminent, self.leading, self.trailing) = (imminent, leading, trailing)
  }
}
