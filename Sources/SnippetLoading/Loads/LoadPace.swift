/// How fast a list gets what its rows need.
struct LoadPace: Hashable, Sendable {
  /// How long a load takes.
  let serviceTime: Duration
  /// How many rows get what they need in a second, with all places for loads taken.
  let rowsPerSecond: Double

  /// Makes a pace.
  ///
  /// - Parameters:
  ///   - serviceTime: How long a load takes.
  ///   - loadCount: How many loads run at a time.
  ///   - loadsPerRow: How many loads a row needs on average.
  init(serviceTime: Duration, loadCount: Int, loadsPerRow: Double) {
    self.serviceTime = serviceTime
    let loadsPerSecond = Double(loadCount) / (serviceTime / .seconds(1))
    rowsPerSecond = loadsPerSecond / max(loadsPerRow, 0.01)
  }
}

/// How long loads take on average, the later ones counting more.
///
/// The first loads weigh the same, so that a few are enough to know a source by; from then on each
/// new one has a fixed weight, so that the mean follows when the source becomes slower or faster.
struct ServiceTime: Hashable, Sendable {
  /// How many loads the mean goes back to, more or less.
  static let memory = 32
  /// The longest time that counts.
  static let longest = Duration.seconds(60)

  private var count = 0
  private var seconds = 0.0

  /// The mean; `nil` as long as there was no load.
  var mean: Duration? {
    count == 0 ? nil : .seconds(seconds)
  }

  /// Takes in how long a load took; less than nothing counts as nothing.
  mutating func add(_ duration: Duration) {
    count = min(count + 1, Self.memory)
    let bounded = min(max(.zero, duration), Self.longest)
    seconds += (bounded / .seconds(1) - seconds) / Double(count)
  }
}
