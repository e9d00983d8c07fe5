/// Two ways of doing the same work, timed in turn, so that both meet the same weather.
struct Measurement {
  /// What is done.
  let work: String
  /// What the other side is.
  let other: String
  /// The most that ours may take, in multiples of the other side.
  let goal: Double

  /// The median time of one piece of work.
  private(set) var ours = Duration.zero
  private(set) var others = Duration.zero

  /// Our time in multiples of the other side's.
  var ratio: Double { ours / others }

  /// Times both sides.
  ///
  /// - Parameters:
  ///   - work: What is done.
  ///   - other: What the other side is.
  ///   - goal: The most that ours may take, in multiples of the other side.
  ///   - rounds: How often each side runs, after three rounds that are not counted.
  ///   - ours: Our side; given the number of the round.
  ///   - others: The other side; given the number of the round.
  init(
    _ work: String,
    against other: String,
    goal: Double,
    rounds: Int = 200,
    ours: (Int) throws -> Void,
    others: (Int) throws -> Void
  ) rethrows {
    self.work = work
    self.other = other
    self.goal = goal
    let clock = ContinuousClock()
    var times: (ours: [Duration], others: [Duration]) = ([], [])
    for round in -3..<rounds {
      let own = try clock.measure { try ours(round + 3) }
      let foreign = try clock.measure { try others(round + 3) }
      guard round >= 0 else { continue }
      times.ours.append(own)
      times.others.append(foreign)
    }
    self.ours = times.ours.sorted()[times.ours.count / 2]
    self.others = times.others.sorted()[times.others.count / 2]
  }
}
