internal import Foundation

/// The visible range of a list, its direction, and its speed.
struct Viewport: Hashable {
  enum Direction: Hashable {
    case forward
    case backward
  }

  /// The time without movement after which the list is at rest.
  static let restDelay = Duration.milliseconds(200)
  /// The time after which a new speed counts for two thirds.
  ///
  /// It is long enough to make an even speed of rows, which come in whole numbers, and short enough
  /// for a flick.
  static let smoothing = Duration.milliseconds(60)
  /// The longest step that has a speed, in viewports.
  ///
  /// A longer one is a leap to another place, and so is a step from an empty range.
  static let longestStep = 3.0

  private(set) var visible: Range<Int>
  /// The direction of the last movement; forward before the first, since lists are read that way.
  private(set) var direction = Direction.forward
  /// Rows per second, negative backwards; 0 at rest and after a leap.
  private(set) var speed = 0.0
  /// The end of the rows loaded ahead in this movement; `nil` at rest, after a leap and after a
  /// turn.
  private var edge: Int?
  private var isSpeedKnown = false
  private var lastStep: ContinuousClock.Instant
  private var lastMovement: ContinuousClock.Instant
  /// Rows moved at the instant of the last step, whose time is not known yet.
  private var untimedRows = 0.0

  init(visible: Range<Int>, at instant: ContinuousClock.Instant) {
    self.visible = visible
    lastStep = instant
    lastMovement = instant
  }

  /// The speed in rows per second, without its direction and without the part that may be chance.
  ///
  /// A single row that comes into view makes a measured speed of one row in the time of the
  /// smoothing, however slow the list is; so much is doubtful. The faster the list, the less it
  /// counts.
  var rowsPerSecond: Double {
    let doubt = isSpeedKnown ? 0 : 1 / (Self.smoothing / .seconds(1))
    return max(0, speed * speed - doubt * doubt).squareRoot()
  }

  /// The same speed in viewports per second.
  var viewportsPerSecond: Double { rowsPerSecond / Double(max(1, visible.count)) }

  /// The number of rows loaded ahead beyond the leading end of the viewport in this movement.
  ///
  /// A plan keeps them when the movement slows down. Otherwise its end would go to and fro with the
  /// measured speed, and loads near it would be started and cancelled in turn.
  var rowsAskedAhead: Int {
    guard let edge, speed != 0 else { return 0 }
    return max(0, direction == .forward ? edge - visible.upperBound : visible.lowerBound - edge)
  }

  /// Notes the plan that loads follow from now on.
  mutating func note(_ plan: RangePlan) {
    edge = direction == .forward ? plan.bounds.upperBound : plan.bounds.lowerBound
  }

  /// Shows other positions because the list has changed, which is not a movement.
  mutating func keep(_ visible: Range<Int>) {
    self.visible = visible
  }

  /// Notes that time has passed: without a movement for long enough, the list is at rest.
  mutating func wait(until instant: ContinuousClock.Instant) {
    guard lastMovement.duration(to: instant) > Self.restDelay else { return }
    speed = 0
    untimedRows = 0
    edge = nil
  }

  /// Takes one step.
  ///
  /// - Parameters:
  ///   - newVisible: The visible range from now on.
  ///   - instant: The time at which it became visible.
  ///   - knownSpeed: The speed if the host knows it. `nil`, or a value that is not finite, has it
  ///     measured from the steps.
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
    isSpeedKnown = knownSpeed != nil
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
    let former = direction
    let heading = speed == 0 ? rows : speed
    if heading != 0 { direction = heading > 0 ? .forward : .backward }
    if isLeap || speed == 0 || direction != former { edge = nil }
  }

  /// Moves the speed towards that of the last step.
  private mutating func follow(_ rows: Double, until instant: ContinuousClock.Instant) {
    let seconds = lastStep.duration(to: instant) / .seconds(1)
    untimedRows += rows
    // Two steps in one instant have no speed; the next step includes both.
    guard seconds > 0 else { return }
    let weight = 1 - exp(-seconds / (Self.smoothing / .seconds(1)))
    speed += weight * (untimedRows / seconds - speed)
    untimedRows = 0
  }
}
