import SnippetBase

/// The movement of a simulated thumb.
public enum ScrollPattern: String, Hashable, Sendable, CaseIterable {
  /// A steady pull, one row every other frame, and back from the end.
  case steady
  /// Flicks that slow down by themselves, some on top of the last, some the other way.
  case fling
  /// Rests, then leaps to a random place, as with a scroll bar or an index.
  case jump
  /// Small movements to and fro, drifting slowly.
  case jitter
}

/// A thumb that scrolls a list: the first visible position for each frame.
///
/// The same values give the same movement on every platform. If the list is shorter than the
/// viewport, or empty, the position is 0.
///
/// ```swift
/// let thumb = ScrollSimulation(
///   rowCount: 100_000,
///   viewport: 12,
///   pattern: .fling,
///   seed: 1,
///   steps: 600
/// )
/// for first in thumb {
///   screen.scroll(to: first)
///   loader.drain()
/// }
/// ```
public struct ScrollSimulation: Sequence, IteratorProtocol, Sendable {
  /// The last position that may be the first visible one.
  public let lastPosition: Int

  private let viewport: Double
  private let pattern: ScrollPattern
  private var generator: SplitMix64
  private var stepsLeft: Int
  private var position = 0.0
  private var velocity = 0.0
  private var direction = 1.0
  private var restingSteps = 0

  /// Makes a thumb at the top of a list.
  ///
  /// - Parameters:
  ///   - rowCount: The length of the list.
  ///   - viewport: The number of rows visible at a time.
  ///   - pattern: The movement.
  ///   - seed: Distinguishes movements of one pattern.
  ///   - steps: The number of frames; the first is at position 0.
  public init(rowCount: Int, viewport: Int, pattern: ScrollPattern, seed: UInt64, steps: Int) {
    lastPosition = Swift.max(0, Swift.max(0, rowCount) - Swift.max(1, viewport))
    self.viewport = Double(Swift.max(1, viewport))
    self.pattern = pattern
    generator = SplitMix64(seed: seed)
    stepsLeft = Swift.max(0, steps)
  }

  /// Advances by one frame.
  ///
  /// - Returns: The first visible position, in `0...lastPosition`; `nil` after the last frame.
  public mutating func next() -> Int? {
    guard stepsLeft > 0 else { return nil }
    stepsLeft -= 1
    let current = Int(position)
    advance()
    return current
  }

  private mutating func advance() {
    switch pattern {
    case .steady:
      velocity = 0.5 * direction
    case .fling:
      fling()
    case .jump:
      jump()
    case .jitter:
      velocity = (generator.unit() - 0.45) * 3
    }
    move()
  }

  /// A frame of a flick: friction, and now and then the next flick.
  private mutating func fling() {
    // The friction of scroll views at 120 frames a second; a flick then goes about 60 times as far
    // as its first frame.
    velocity *= 0.983
    if abs(velocity) < 0.02 { velocity = 0 }
    guard restingSteps == 0 else {
      restingSteps -= 1
      return
    }
    if generator.chance(0.2) { direction = -direction }
    // Half of the flicks come before the last has run out, and add to it.
    let strength = viewport * (0.02 + 0.23 * generator.unit() * generator.unit())
    let remaining = velocity * direction > 0 ? velocity : 0
    velocity = Swift.min(Swift.max(remaining + direction * strength, -viewport), viewport)
    restingSteps = 20 + generator.below(160)
  }

  private mutating func jump() {
    velocity = 0
    guard restingSteps == 0 else {
      restingSteps -= 1
      return
    }
    position = Double(generator.below(lastPosition + 1))
    restingSteps = 5 + generator.below(26)
  }

  private mutating func move() {
    position += velocity
    guard position < 0 || position > Double(lastPosition) else { return }
    position = Swift.min(Swift.max(position, 0), Double(lastPosition))
    direction = position == 0 ? 1 : -1
    velocity = 0
  }
}
