internal import Foundation

/// The visible range of a list, which way it moves, and how fast.
struct Viewport: Hashable {
  enum Direction: Hashable {
    case forward
    case backward
  }

  /// After so long without a movement the list is at rest.
  static let restDelay = Duration.milliseconds(200)
  /// How long it takes until a new speed counts for two thirds: long enough that rows, which come in
  /// whole numbers, make an even speed, and short enough for a flick.
  static let smoothing = Duration.milliseconds(60)
  /// A step of more viewports than this has no speed: it is a leap to another place, as is one from
  /// an empty range.
  static let longestStep = 3.0

  private(set) var visible: Range<Int>
  /// The way of the last movement; forward until there was one, since lists are read that way.
  private(set) var direction = Direction.forward
  /// Rows per second, negative backwards; 0 at rest and after a leap.
  private(set) var speed = 0.0
  private var lastStep: ContinuousClock.Instant
  private var lastMovement: ContinuousClock.Instant
  /// Rows moved at the instant of the last step, whose time is not known yet.
  private var untimedRows = 0.0

  init(visible: Range<Int>, at instant: ContinuousClock.Instant) {
    self.visible = visible
    lastStep = instant
    lastMovement = instant
  }

  /// The speed in viewports per second, without its direction.
  var viewportsPerSecond: Double { abs(speed) / Double(max(1, visible.count)) }

  /// Keeps the range within a list that became shorter; this is no movement.
  mutating func clamp(toCount count: Int) {
    visible = visible.clamped(to: 0..<max(0, count))
  }

  /// Notes that time has passed: without a movement for long enough the list is at rest.
  mutating func wait(until instant: ContinuousClock.Instant) {
    guard lastMovement.duration(to: instant) > Self.restDelay else { return }
    speed = 0
    untimedRows = 0
  }

  /// Takes one step.
  ///
  /// - Parameters:
  ///   - newVisible: The visible range from now on.
  ///   - instant: When it became visible.
  ///   - knownSpeed: The speed if the host knows it; `nil`, and what is not finite, leaves it to be
  ///     told from the steps.
  mutating func move(
    to newVisible: Range<Int>,
    at instant: ContinuousClock.Instant,
    speed knownSpeed: Double? = nil
  ) {
    // Half of each, so that a viewport that grows or shrinks moves with its middle.
    let rows =
      Double(newVisible.lowerBound - visible.lowerBound) / 2
      + Double(newVisible.upperBound - visible.upperBound) / 2
    let isLeap =
      visible.isEmpty || abs(rows) > Self.longestStep * Double(max(1, newVisible.count))
    let knownSpeed = knownSpeed.flatMap { $0.isFinite ? $0 : nil }
    visible = newVisible
    wait(until: instant)
    if let knownSpeed {
      speed = knownSpeed
      untimedRows = 0
    } else if isLeap {
      speed = 0
      untimedRows = 0
    } else {
      follow(rows, until: instant)
    }
    if rows != 0 || knownSpeed ?? 0 != 0 { lastMovement = max(lastMovement, instant) }
    lastStep = max(lastStep, instant)
    let heading = speed == 0 ? rows : speed
    if heading != 0 { direction = heading > 0 ? .forward : .backward }
  }

  /// Brings the speed nearer to that of the last step.
  private mutating func follow(_ rows: Double, until instant: ContinuousClock.Instant) {
    let seconds = lastStep.duration(to: instant) / .seconds(1)
    untimedRows += rows
    // Two steps in one instant have no speed; the next step has that of both.
    guard seconds > 0 else { return }
    let weight = 1 - exp(-seconds / (Self.smoothing / .seconds(1)))
    speed += weight * (untimedRows / seconds - speed)
    untimedRows = 0
  }
}
