/// Which positions are loaded for a viewport, and how urgently: a pure function of the viewport,
/// the tuning and the length of the list.
struct RangePlan: Hashable {
  /// A stretch of the list with one priority.
  struct Segment: Hashable {
    let positions: Range<Int>
    let priority: LoadPriority
    /// Whether the last position is the most urgent.
    let isReversed: Bool

    /// Calls a closure with every position, the most urgent first.
    func forEachPosition(_ body: (Int) -> Void) {
      if isReversed {
        positions.reversed().forEach(body)
      } else {
        positions.forEach(body)
      }
    }
  }

  /// The stretches, most urgent first; they do not overlap.
  let segments: [Segment]
  /// The smallest range that holds all of them.
  let bounds: Range<Int>

  /// Plans for a viewport.
  ///
  /// - Parameters:
  ///   - viewport: What is visible and which way it moves.
  ///   - tuning: How far to load ahead.
  ///   - count: The length of the list.
  ///   - maximumCount: The most positions in the plan.
  init(
    viewport: Viewport,
    tuning: SnippetLoader.RangeTuning,
    count: Int,
    maximumCount: Int
  ) {
    let list = 0..<max(0, count)
    let visible = Self.cut(viewport.visible.clamped(to: list), to: maximumCount)
    let isForward = viewport.direction == .forward
    var room = maximumCount - visible.count
    var bounds = visible
    var segments = [
      Segment(positions: visible, priority: .visible, isReversed: false)
    ]

    func extend(forward: Bool, viewports: Double, priority: LoadPriority) {
      let wanted = Int((Double(visible.count) * viewports).rounded(.up))
      let beyond = forward ? list.upperBound - bounds.upperBound : bounds.lowerBound
      let length = min(wanted, room, beyond)
      guard length > 0 else { return }
      let positions =
        forward
        ? bounds.upperBound..<bounds.upperBound + length
        : bounds.lowerBound - length..<bounds.lowerBound
      segments.append(Segment(positions: positions, priority: priority, isReversed: !forward))
      bounds =
        min(bounds.lowerBound, positions.lowerBound)..<max(bounds.upperBound, positions.upperBound)
      room -= length
    }

    let imminent = min(tuning.imminent, tuning.leading)
    extend(forward: isForward, viewports: imminent, priority: .imminent)
    extend(forward: isForward, viewports: tuning.leading - imminent, priority: .preload)
    extend(forward: !isForward, viewports: tuning.trailing, priority: .preload)
    self.segments = segments.filter { !$0.positions.isEmpty }
    self.bounds = bounds
  }

  private static func cut(_ range: Range<Int>, to maximumCount: Int) -> Range<Int> {
    range.count <= maximumCount
      ? range : range.lowerBound..<range.lowerBound + max(0, maximumCount)
  }
}
