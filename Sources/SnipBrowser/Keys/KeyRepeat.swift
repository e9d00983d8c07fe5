/// Makes a movement faster for as long as its key is held.
///
/// A terminal repeats a held key, and says nothing of keys that are let go. So a key counts as held
/// when it comes faster than anybody taps, or when it comes steadily after the pause that a keyboard
/// makes before it repeats. The longer that goes on, the more rows a key moves by; with the time
/// between two keys that makes a speed, which the loader is told.
struct KeyRepeat {
  /// How far a key moves, and how fast the list is by that.
  struct Step: Equatable {
    /// The rows to move by, at least 1.
    var rows: Int
    /// Rows per second; 0 for a key that is pressed once.
    var speed: Double
  }

  /// The longest time between two keys of one that is held, or tapped.
  static let longestGap = Duration.milliseconds(150)
  /// No key that is tapped comes again and again within this time.
  static let shortestTap = Duration.milliseconds(45)
  /// The pause before a keyboard repeats a key.
  static let pause = Duration.milliseconds(180)...Duration.milliseconds(1100)
  /// So many keys in a row tell that one is held: over a slow link two taps may come together.
  static let surety = 3
  /// After so many keys a movement is one unit faster.
  static let keysPerGear = 6

  private var action: BrowseAction?
  private var instant: ContinuousClock.Instant?
  /// How many keys have followed the first one without a rest.
  private var count = 0
  /// How many of the last came faster than anybody taps.
  private var fastCount = 0
  /// Whether the first key was alone for as long as a keyboard waits.
  private var followsPause = false
  private var isHeld = false

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
    // Keys that were waiting come at once.
    return Step(rows: rows, speed: Double(rows) / max(gap / .seconds(1), 0.01))
  }
}
