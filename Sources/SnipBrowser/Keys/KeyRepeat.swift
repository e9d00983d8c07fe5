/// Speeds up a movement while its key is held.
///
/// A terminal repeats a held key, and does not report its release. So a key counts as held when it
/// comes faster than people tap, or when it comes steadily after the pause that a keyboard makes
/// before it repeats. The longer that goes on, the more rows a key moves by. With the time between
/// two keys this gives a speed for the loader.
struct KeyRepeat {
  /// The distance that a key moves, and the speed of the list.
  struct Step: Equatable {
    /// The rows to move by, at least 1.
    var rows: Int
    /// Rows per second; 0 for a key that is pressed once.
    var speed: Double
  }

  /// The longest time between two repeats of a held key, or between two taps.
  static let longestGap = Duration.milliseconds(150)
  /// The shortest time between repeated taps of a key.
  static let shortestTap = Duration.milliseconds(45)
  /// The pause before a keyboard repeats a key.
  static let pause = Duration.milliseconds(180)...Duration.milliseconds(1100)
  /// The number of keys in a row that show that one is held: over a slow link two taps may arrive
  /// together.
  static let surety = 3
  /// The number of keys after which a movement becomes one unit faster.
  static let keysPerGear = 6

  private var action: BrowseAction?
  private var instant: ContinuousClock.Instant?
  /// The number of keys that have followed the first one without a rest.
  private var count = 0
  /// The number of the last keys that came faster than people tap.
  private var fastCount = 0
  /// Whether the first key was followed by the pause of a keyboard.
  private var followsPause = false
  private var isHeld = false

  /// Notes a key.
  ///
  /// - Parameters:
  ///   - action: The movement.
  ///   - now: The time of the key.
  ///   - unit: The number of rows to move by at first.
  ///   - limit: The most rows to move by.
  /// - Returns: The distance, and its speed.
  mutating func step(
    _ action: BrowseAction,
    at now: ContinuousClock.Instant,
    unit: Int,
    limit: Int
  ) -> Step {
    let isSame = action == self.action
    let gap = instant.map { now - $0 } ?? .seconds(60)
    (self.action, instant) = (action, now)
    guard isSame, gap <= Self.longestGap else {
      (count, fastCount, isHeld) = (0, 0, false)
      followsPause = isSame && Self.pause.contains(gap)
      return Step(rows: max(1, unit), speed: 0)
    }
    count += 1
    fastCount = gap <= Self.shortestTap ? fastCount + 1 : 0
    isHeld = isHeld || fastCount >= Self.surety || followsPause && count >= Self.surety
    let gears = isHeld ? min(1 + count / Self.keysPerGear, 1000) : 1
    let rows = max(1, unit, min(unit * gears, limit))
    // Keys that were waiting arrive at once.
    return Step(rows: rows, speed: Double(rows) / max(gap / .seconds(1), 0.01))
  }
}
