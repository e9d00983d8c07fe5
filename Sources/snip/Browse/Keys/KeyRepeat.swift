/// Makes a movement faster for as long as its key is held.
///
/// A terminal repeats a held key about thirty times a second. The longer that goes on, the more
/// rows a key moves by; with the time between two keys that makes a speed, which the loader is
/// told.
struct KeyRepeat {
  /// How far a key moves, and how fast the list is by that.
  struct Step: Equatable {
    /// The rows to move by, at least 1.
    var rows: Int
    /// Rows per second; 0 for a key that is pressed once.
    var speed: Double
  }

  /// The longest time between two keys of one that is held.
  static let longestGap = Duration.milliseconds(150)
  /// After so many keys a movement is one unit faster.
  static let keysPerGear = 6

  private var action: BrowseAction?
  private var instant: ContinuousClock.Instant?
  private var count = 0

  /// Notes a key.
  ///
  /// - Parameters:
  ///   - action: The movement that it makes.
  ///   - now: When it came.
  ///   - unit: How many rows it moves by at first.
  ///   - limit: The most rows that it may come to move by.
  /// - Returns: How far to move, and how fast that is.
  mutating func step(
    _ action: BrowseAction,
    at now: ContinuousClock.Instant,
    unit: Int,
    limit: Int
  ) -> Step {
    let gap = instant.map { now - $0 } ?? .seconds(1)
    count = action == self.action && gap <= Self.longestGap ? count + 1 : 0
    (self.action, instant) = (action, now)
    guard count > 0 else { return Step(rows: max(1, unit), speed: 0) }
    let gears = min(1 + count / Self.keysPerGear, 1000)
    let rows = max(1, unit, min(unit * gears, limit))
    // Keys that were waiting come at once.
    return Step(rows: rows, speed: Double(rows) / max(gap / .seconds(1), 0.01))
  }
}
