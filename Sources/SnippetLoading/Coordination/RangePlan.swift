/// Which positions are loaded for a viewport, and how urgently: a pure function of the viewport,
/// the ranges, the look-ahead and the length of the list.
struct RangePlan: Hashable {
  /// A stretch of the list that is loaded for one reason.
  struct Segment: Hashable {
    let positions: Range<Int>
    /// How near to the screen it is.
    let range: LoadRange
    /// Whether the last position is the most urgent.
    let isReversed: Bool

    var priority: LoadPriority {
      switch range {
      case .visible: .visible
      case .display: .imminent
      case .preload: .preload
      }
    }

    /// Calls a closure with every position, the most urgent first.
    func forEachPosition(_ body: (Int) -> Void) {
      if isReversed {
        positions.reversed().forEach(body)
      } else {
        positions.forEach(body)
      }
    }
  }

  /// The stretches, most urgent first; they do not overlap and leave no gap.
  ///
  /// The visible one, then those of the display range, then those of the preload range; of each
  /// range the leading side comes before the trailing one. What is visible is in the order of the
  /// list at rest, and begins at the leading end in a movement.
  let segments: [Segment]
  /// The smallest range that holds all of them.
  let bounds: Range<Int>

  /// Plans for a viewport.
  ///
  /// - Parameters:
  ///   - viewport: What is visible, which way it moves and how fast.
  ///   - ranges: How far to load ahead.
  ///   - lookAhead: How far into the future the ranges look.
  ///   - count: The length of the list.
  ///   - maximumCount: The most positions in the plan.
  init(
    viewport: Viewport,
    ranges: RangeTuning.Ranges,
    lookAhead: Duration,
    count: Int,
    maximumCount: Int
  ) {
    let list = 0..<max(0, count)
    let visible = Self.cut(viewport.visible.clamped(to: list), to: maximumCount)
    let isForward = viewport.direction == .forward
    let distance = viewport.viewportsPerSecond * (lookAhead / .seconds(1))
    var bounds = visible
    // In a movement the rows that have just come in stay longest; those at the other end leave.
    let isLastFirst = isForward && viewport.speed != 0
    var segments = [Segment(positions: visible, range: .visible, isReversed: isLastFirst)]

    func rows(_ viewports: Double) -> Double {
      (Double(visible.count) * viewports).rounded(.up)
    }

    func extend(
      _ kind: LoadRange,
      forward: Bool,
      to reach: RangeTuning.Reach,
      keeping asked: Int = 0
    ) {
      let wanted = max(
        rows(reach.viewports(moving: distance)),
        min(Double(asked), rows(reach.most))
      )
      let planned =
        forward
        ? bounds.upperBound - visible.upperBound : visible.lowerBound - bounds.lowerBound
      let beyond = forward ? list.upperBound - bounds.upperBound : bounds.lowerBound
      let room = min(beyond, maximumCount - bounds.count)
      let missing = wanted - Double(planned)
      let length = missing >= Double(room) ? room : Int(missing)
      guard length > 0 else { return }
      let positions =
        forward
        ? bounds.upperBound..<bounds.upperBound + length
        : bounds.lowerBound - length..<bounds.lowerBound
      segments.append(Segment(positions: positions, range: kind, isReversed: !forward))
      bounds =
        min(bounds.lowerBound, positions.lowerBound)..<max(bounds.upperBound, positions.upperBound)
    }

    if !visible.isEmpty {
      extend(.display, forward: isForward, to: ranges.display.leading)
      extend(.display, forward: !isForward, to: ranges.display.trailing)
      extend(
        .preload,
        forward: isForward,
        to: ranges.preload.leading,
        keeping: viewport.rowsAskedAhead
      )
      extend(.preload, forward: !isForward, to: ranges.preload.trailing)
    }
    self.segments = segments.filter { !$0.positions.isEmpty }
    self.bounds = bounds
  }

  private static func cut(_ range: Range<Int>, to maximumCount: Int) -> Range<Int> {
    range.count <= maximumCount
      ? range : range.lowerBound..<range.lowerBound + max(0, maximumCount)
  }
}
