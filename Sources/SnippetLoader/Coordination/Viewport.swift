/// The visible range of a list, and which way it moves.
struct Viewport: Hashable {
  enum Direction: Hashable {
    case forward
    case backward
  }

  private(set) var visible: Range<Int>
  /// The way of the last movement; forward until there was one, since lists are read that way.
  private(set) var direction = Direction.forward

  init(visible: Range<Int>) {
    self.visible = visible
  }

  /// Keeps the range within a list that became shorter; this is no movement.
  mutating func clamp(toCount count: Int) {
    visible = visible.clamped(to: 0..<max(0, count))
  }

  mutating func move(to newVisible: Range<Int>) {
    let start = newVisible.lowerBound - visible.lowerBound
    let end = newVisible.upperBound - visible.upperBound
    visible = newVisible
    if start + end > 0 {
      direction = .forward
    } else if start + end < 0 {
      direction = .backward
    }
  }
}
