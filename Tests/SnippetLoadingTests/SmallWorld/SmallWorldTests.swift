import Foundation
import Testing

/// Every interleaving of what can happen to three cells and four rows.
///
/// The search is in breadth, so the schedule that it prints is the shortest that goes wrong. Three
/// reductions are made. Of cells that are not bound one stands for all, and so does one of the rows
/// that nothing is known of. Of schedules that come to the same state only the first goes on. And
/// what has come is delivered in one turn.
///
/// The long form goes on to schedules of eight events, some minutes:
///
///     SNIP_LONG_TESTS=1 swift test -c release --no-parallel --filter SmallWorldTests
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct SmallWorldTests {
  private nonisolated static let isLong =
    ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil

  @Test(arguments: SmallWorld.Cache.allCases)
  func `no delivery goes wrong in any interleaving`(cache: SmallWorld.Cache) async {
    var seen: Set<String> = [SmallWorld(cache).state]
    var schedules: [[SmallWorldEvent]] = [[]]
    var transitionCount = 0
    for length in 1...(Self.isLong ? 8 : 5) {
      var longer: [[SmallWorldEvent]] = []
      for schedule in schedules {
        for event in world(after: schedule, cache).events {
          let world = world(after: schedule + [event], cache)
          transitionCount += 1
          let isNew = seen.insert(world.state).inserted
          if isNew { world.checkAtRest() }
          guard world.violations.isEmpty else {
            Issue.record("\(schedule + [event]): \(world.violations)")
            return
          }
          if isNew { longer.append(schedule + [event]) }
        }
        await Task.yield()
      }
      schedules = longer
      if Self.isLong { print("\(cache), length \(length): \(seen.count) states") }
    }
    // All states that such short schedules lead to, and no fewer.
    #expect(seen.count > 2_500)
    #expect(transitionCount > 5_000)
  }

  private func world(after schedule: [SmallWorldEvent], _ cache: SmallWorld.Cache) -> SmallWorld {
    let world = SmallWorld(cache)
    for event in schedule { world.happen(event) }
    return world
  }
}
