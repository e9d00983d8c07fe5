/// The speed at which a list gets the loads of its rows.
struct LoadPace: Hashable, Sendable {
  /// The time that a load takes.
  let serviceTime: Duration
  /// The number of rows whose loads finish in a second while all places are taken.
  let rowsPerSecond: Double

  /// Makes a pace.
  ///
  /// - Parameters:
  ///   - serviceTime: The time that a load takes.
  ///   - loadCount: The number of loads that run at a time.
  ///   - loadsPerRow: The number of loads that a row needs on average.
  init(serviceTime: Duration, loadCount: Int, loadsPerRow: Double) {
    self.serviceTime = serviceTime
    let loadsPerSecond = Double(loadCount) / (serviceTime / .seconds(1))
    rowsPerSecond = loadsPerSecond / max(loadsPerRow, 0.01)
  }
}

/// The average time of a load, with later loads counting more.
///
/// The first loads weigh the same, so a few are enough to know a source by. From then on each new
/// load has a fixed weight, so the mean follows when the source becomes slower or faster.
struct ServiceTime: Hashable, Sendable {
  /// The approximate number of loads that the mean goes back to.
  static let memory = 32
  /// The longest time that counts.
  static let longest = Duration.seconds(60)

  private var count = 0
  private var seconds = 0.0

  /// The mean; `nil` before the first load.
  var mean: Duration? {
    count == 0 ? nil : .seconds(seconds)
  }

  /// Adds the time of a load; a negative time counts as 0.
  mutating func add(_ duration: Duration) {
    count = min(count + 1, Self.memory)
    let bounded = min(max(.zero, duration), Self.longest)
    seconds += (bounded / .seconds(1) - seconds) / Double(count)
  }
}
