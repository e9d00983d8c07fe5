/// Two ways of doing the same work, timed in turn, so that both meet the same weather.
struct Measurement {
  /// The median time of one piece of work.
  let ours: Duration
  let others: Duration

  /// Times both sides.
  ///
  /// - Parameters:
  ///   - rounds: How often each side runs, after three rounds that are not counted.
  ///   - pieces: How many pieces of work a round does; the times are those of one.
  ///   - ours: Our side; given the number of the round.
  ///   - others: The other side; given the number of the round.
  ///   - after: What is done after each side and is not timed.
  init(
    rounds: Int = 200,
    pieces: Int = 1,
    ours: (Int) throws -> Void,
    others: (Int) throws -> Void,
    after: () throws -> Void = {}
  ) rethrows {
    let clock = ContinuousClock()
    var times: (ours: [Duration], others: [Duration]) = ([], [])
    for round in -3..<rounds {
      let own = try clock.measure { try ours(round + 3) }
      try after()
      let foreign = try clock.measure { try others(round + 3) }
      try after()
      guard round >= 0 else { continue }
      times.ours.append(own)
      times.others.append(foreign)
    }
    self.ours = times.ours.sorted()[times.ours.count / 2] / pieces
    self.others = times.others.sorted()[times.others.count / 2] / pieces
  }

  /// The line of the table.
  ///
  /// - Parameters:
  ///   - work: What is done.
  ///   - other: What the other side is.
  ///   - goal: What the ratio must be; none by default.
  /// - Returns: The line.
  func row(_ work: String, against other: String, _ goal: Goal = .none) -> TableRow {
    TableRow(work, Quantity(ours), against: other, Quantity(others), goal: goal)
  }
}
