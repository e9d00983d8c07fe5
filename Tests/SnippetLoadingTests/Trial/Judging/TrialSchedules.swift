/// All schedules of one length, of some events in a tiny world.
///
/// Each is played from the beginning in a world of its own, in the order of the events. An event
/// that cannot happen is left out, so some schedules are shorter.
@MainActor
struct TrialSchedules {
  let setting: TrialSetting
  let events: [TrialEvent]
  let length: Int
  /// What happens once at most.
  var once: Set<TrialEvent> = []

  /// Plays schedules until one is found that meets a condition, judged at rest.
  ///
  /// - Returns: The world after it, and how many were played.
  func first(
    of list: any ListOnTrial.Type,
    where isFound: (TrialWorld) -> Bool
  ) async -> (found: TrialWorld?, count: Int) {
    // The events that were possible at each place, and which of them is played.
    var choices: [(events: [TrialEvent], index: Int)] = []
    var count = 0
    repeat {
      let world = TrialWorld(setting, of: list)
      for depth in 0..<length {
        if depth == choices.count {
          let possible = events.filter { event in
            world.allows(event) && !(once.contains(event) && world.events.contains(event))
          }
          guard !possible.isEmpty else { break }
          choices.append((possible, 0))
        }
        world.step(choices[depth].events[choices[depth].index])
      }
      world.comeToRest()
      count += 1
      if isFound(world) { return (world, count) }
      // The main actor is there for other tests too.
      await Task.yield()
      while let last = choices.last, last.index + 1 == last.events.count { choices.removeLast() }
      if !choices.isEmpty { choices[choices.count - 1].index += 1 }
    } while !choices.isEmpty
    return (nil, count)
  }
}
