import SnippetBase

/// A way in which a thumb moves through a list.
enum ScrollPattern: String, Sendable, CaseIterable {
  /// An even pull, a row every other frame, and back again from the end.
  case steady
  /// Flicks that slow down by themselves, some of them the other way.
  case fling
  /// Rests, then leaps to any place, as with a scroll bar.
  case jump
  /// Small movements to and fro, drifting slowly.
  case jitter
}

/// A movement through a list of any length.
struct ScrollMovement: Sendable {
  let pattern: ScrollPattern
  /// Selects one of the movements of the pattern.
  let seed: UInt64
  /// The number of rows that are visible at a time.
  let viewport: Int
  let frameCount: Int
}

/// The first visible position of each frame; a list shorter than the viewport stays at 0.
///
/// The same values give the same positions.
struct ScrollPositions: Sequence, IteratorProtocol {
  private let pattern: ScrollPattern
  private let viewport: Double
  private let last: Double
  private var framesLeft: Int
  private var random: SplitMix64
  private var position = 0.0
  private var velocity = 0.0
  private var direction = 1.0
  private var restingFrames = 0

  init(of movement: ScrollMovement, rowCount: Int) {
    pattern = movement.pattern
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
    restingFrames -= 1
    switch pattern {
    case .steady: velocity = 0.5 * direction
    case .jitter: velocity = (random.unit() - 0.45) * 3
    case .fling: fling()
    case .jump where restingFrames < 0:
      position = Double(random.below(Int(last) + 1))
      restingFrames = 5 + random.below(26)
    case .jump: break
    }
    position += velocity
    guard position < 0 || position > last else { return }
    position = Swift.min(Swift.max(position, 0), last)
    direction = position == 0 ? 1 : -1
    velocity = 0
  }

  private mutating func fling() {
    // The friction of scroll views, in a frame of a display with 120 in a second.
    velocity *= 0.983
    guard restingFrames < 0 else { return }
    if random.chance(0.2) { direction = -direction }
    let strength = viewport * (0.02 + 0.23 * random.unit() * random.unit())
    // Half of the flicks come before the last one has run out, and add to it.
    let remaining = velocity * direction > 0 ? velocity : 0
    velocity = Swift.min(Swift.max(remaining + direction * strength, -viewport), viewport)
    restingFrames = 20 + random.below(160)
  }
}
