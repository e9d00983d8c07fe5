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

  @Test func `every mode has ranges of its own`() {
    var tuning = Tuning()
    let full = tuning[.full]
    #expect(tuning[.minimum].preload.leading.most < full.preload.leading.least)
    #expect(tuning[.minimum].preload.leading.most > 0)
    #expect(tuning[.visibleOnly] == Tuning.Ranges())
    #expect(tuning[.lowMemory] == Tuning.Ranges())

    tuning[.visibleOnly].preload.leading = .init(1)
    #expect(tuning[.visibleOnly].preload.leading.least == 1)
    #expect(tuning[.full] == full)
  }

  @Test func `a tuning without speed is the same at every speed`() {
    let ranges = Tuning(imminent: 3, leading: 2, trailing: 1)[.full]

    #expect(ranges.imminent.leading == .init(2))
    #expect(ranges.preload.leading == .init(2))
    #expect(ranges.preload.trailing == .init(1))
    for mode in RangeMode.allCases {
      #expect(Tuning.none[mode] == Tuning.Ranges())
    }
  }
}
