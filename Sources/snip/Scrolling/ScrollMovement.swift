import SnippetBase

/// A thumb that flicks through a list of any length.
struct ScrollMovement: Sendable {
  /// Selects one of the movements.
  let seed: UInt64
  /// The number of rows that are visible at a time.
  let viewport: Int
  let frameCount: Int
}

/// The first visible position of each frame; a list shorter than the viewport stays at 0.
///
/// The same values give the same positions.
struct ScrollPositions: Sequence, IteratorProtocol {
  private let viewport: Double
  private let last: Double
  private var framesLeft: Int
  private var random: SplitMix64
  private var position = 0.0
  private var velocity = 0.0
  private var direction = 1.0
  private var framesToFlick = 0

  init(of movement: ScrollMovement, rowCount: Int) {
    viewport = Double(movement.viewport)
    last = Double(Swift.max(0, rowCount - movement.viewport))
    framesLeft = movement.frameCount
    random = SplitMix64(seed: movement.seed)
  }

  mutating func next() -> Int? {
    guard framesLeft > 0 else { return nil }
    framesLeft -= 1
    defer { move() }
    return Int(position)
  }

  private mutating func move() {
    // The friction of scroll views, in a frame of a display with 120 in a second.
    velocity *= 0.983
    if framesToFlick == 0 { flick() } else { framesToFlick -= 1 }
    position += velocity
    guard position < 0 || position > last else { return }
    position = Swift.min(Swift.max(position, 0), last)
    direction = position == 0 ? 1 : -1
    velocity = 0
  }

  private mutating func flick() {
    if random.chance(0.2) { direction = -direction }
    let strength = viewport * (0.02 + 0.23 * random.unit() * random.unit())
    // Half of the flicks come before the last one has run out, and add to it.
    let remaining = velocity * direction > 0 ? velocity : 0
    velocity = Swift.min(Swift.max(remaining + direction * strength, -viewport), viewport)
    framesToFlick = 20 + random.below(160)
  }
}
