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
