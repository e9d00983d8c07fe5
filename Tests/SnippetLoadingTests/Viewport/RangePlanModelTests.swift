@testable import SnippetLoading
import SnippetTestSupport
import Testing

/// Plans at random against a reference that looks at every row by itself.
struct RangePlanModelTests {
  private typealias Tuning = RangeTuning

  private struct Place: Comparable {
    let kind: Int
    let side: Int
    let distance: Int
    let position: Int

    static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.kind, lhs.side, lhs.distance) < (rhs.kind, rhs.side, rhs.distance)
    }
  }

  /// The positions that are loaded, most urgent first, with the number of their kind.
  ///
  /// Those that lie `met` ahead come before all others.
  private func reference(
    visible: Range<Int>,
    speed: Double,
    distance: Double,
    ranges: Tuning,
    met: Range<Int>,
    count: Int,
    maximumCount: Int
  ) -> [Place] {
    func rows(_ reach: Tuning.Reach) -> Int {
      let viewports = distance < reach.least ? reach.least : min(distance, reach.most)
      return Int((viewports * Double(visible.count)).rounded(.up))
    }
    let isForward = speed >= 0
    var places: [Place] = []
    for position in 0..<count {
      if visible.contains(position) {
        let order = speed > 0 ? -position : position
        places.append(Place(kind: 0, side: 0, distance: order, position: position))
        continue
      }
      let isAfter = position >= visible.upperBound
      let away = isAfter ? position - visible.upperBound + 1 : visible.lowerBound - position
      let isAhead = isAfter == isForward
      let imminent = isAhead ? rows(ranges.imminent) : 0
      let preload = rows(isAhead ? ranges.leading : ranges.trailing)
      guard away <= max(imminent, preload) else { continue }
      places.append(
        Place(
          kind: away <= imminent ? 1 : 2,
          side: isAhead ? 0 : 1,
          distance: away,
          position: position
        )
      )
    }
    let planned = places.sorted().prefix(maximumCount)
    let isMet = { (place: Place) in
      place.kind > 0 && place.side == 0 && met.contains(place.distance)
    }
    return planned.filter(isMet) + planned.filter { !isMet($0) }
  }

  @Test(.seeded)
  func `a plan is what every row would say of itself`() {
    var random = SeededGenerator()
    let start = ContinuousClock.now

    func reach() -> Tuning.Reach {
      Tuning.Reach(
        least: Double(random.below(9)) / 4,
        most: Double(random.below(17)) / 4
      )
    }

    for _ in 0..<3_000 {
      let count = 1 + random.below(300)
      let first = random.below(count)
      let visible = first..<min(count, first + 1 + random.below(20))
      let ranges = Tuning(imminent: reach(), leading: reach(), trailing: reach())
      let speed = Double(random.below(401) - 200)
      let maximumCount = visible.count + random.below(120)
      var viewport = Viewport(visible: visible, at: start)
      viewport.move(to: visible, at: start, speed: speed)
      let pace = LoadPace(
        serviceTime: .milliseconds(random.below(200)),
        loadCount: 1 + random.below(8),
        loadsPerRow: Double(1 + random.below(3))
      )

      let plan = RangePlan(
        viewport: viewport,
        ranges: ranges,
        lookAhead: .milliseconds(250),
        pace: pace,
        count: count,
        maximumCount: maximumCount
      )
      var positions: [Int] = []
      var kinds: [Int] = []
      for segment in plan.segments {
        let kind = LoadRange.allCases.firstIndex(of: segment.range) ?? -1
        segment.forEachPosition { position in
          positions.append(position)
          kinds.append(kind)
        }
      }

      let isFast = abs(speed) > pace.rowsPerSecond
      let passed = Int((abs(speed) * (pace.serviceTime / .seconds(1))).rounded(.up))
      let expected = reference(
        visible: visible,
        speed: speed,
        distance: abs(speed) / Double(visible.count) * 0.25,
        ranges: ranges,
        met: isFast ? passed + 1..<passed + 1 + visible.count : 0..<0,
        count: count,
        maximumCount: maximumCount
      )
      #expect(positions == expected.map(\.position))
      #expect(kinds == expected.map(\.kind))
    }
  }
}
