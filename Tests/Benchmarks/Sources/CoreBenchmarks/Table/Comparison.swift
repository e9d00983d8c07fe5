/// Two ways of doing the same work, timed in turn, so that both meet the same weather.
package struct Comparison {
  /// The median time of one piece of work.
  package let ours: Duration
  package let others: Duration
  /// The times that one round of ten takes less than, where other work disturbs the rest.
  private let undisturbed: (ours: Duration, others: Duration)

  /// Times both sides.
  ///
  /// - Parameters:
  ///   - rounds: How often each side runs, after three rounds that are not counted.
  ///   - pieces: How many pieces of work a round does; the times are those of one.
  ///   - ours: Our side; given the number of the round.
  ///   - others: The other side; given the number of the round.
  ///   - after: What is done after each side and is not timed.
  package init(
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
    self.init(times, pieces: pieces)
  }

  /// Times both sides, of which ours is asynchronous: its time is that of somebody who awaits it.
  package init(
    rounds: Int = 200,
    isolation: isolated (any Actor)? = #isolation,
    awaiting ours: (Int) async throws -> Void,
    others: (Int) async throws -> Void,
    after: () async throws -> Void = {}
  ) async rethrows {
    let clock = ContinuousClock()
    var times: (ours: [Duration], others: [Duration]) = ([], [])
    for round in -3..<rounds {
      let start = clock.now
      try await ours(round + 3)
      let own = start.duration(to: clock.now)
      try await after()
      let begin = clock.now
      try await others(round + 3)
      let foreign = begin.duration(to: clock.now)
      try await after()
      guard round >= 0 else { continue }
      times.ours.append(own)
      times.others.append(foreign)
    }
    self.init(times, pieces: 1)
  }

  private init(_ times: (ours: [Duration], others: [Duration]), pieces: Int) {
    let sorted = (ours: times.ours.sorted(), others: times.others.sorted())
    func share(_ count: Int) -> (ours: Duration, others: Duration) {
      (
        sorted.ours[sorted.ours.count / count] / pieces,
        sorted.others[sorted.others.count / count] / pieces
      )
    }
    (ours, others) = share(2)
    undisturbed = share(10)
  }

  /// The line of the table.
  ///
  /// - Parameters:
  ///   - work: What is done.
  ///   - other: What the other side is.
  ///   - goal: What the ratio must be; none by default.
  ///   - alarm: The ratio that a machine with other work must not exceed either, if it is not so many
  ///     times the goal as for other lines.
  /// - Returns: The line.
  package func row(
    _ work: String,
    against other: String,
    _ goal: Goal = .none,
    alarmAt alarm: Double? = nil
  ) -> TableRow {
    TableRow(
      work,
      Quantity(ours),
      against: other,
      Quantity(others),
      undisturbed: (Quantity(undisturbed.ours), Quantity(undisturbed.others)),
      goal: goal,
      alarmAt: alarm
    )
  }
}
