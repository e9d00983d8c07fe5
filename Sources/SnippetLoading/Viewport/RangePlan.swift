/// The positions to load for a viewport, by urgency: a pure function of the viewport, the ranges,
/// the look-ahead, the pace of the loads and the length of the list.
///
/// A list may move faster than its loads can follow. A row that comes into view then leaves before
/// its load ends, and the loads chase the list without ever catching it. So the plan aims ahead of
/// the target: first come the rows that a load begun now can still meet.
struct RangePlan: Hashable {
  /// A stretch of the list that is loaded for one reason.
  struct Segment: Hashable {
    let positions: Range<Int>
    /// The nearness of the stretch to the screen.
    let range: LoadRange
    /// Whether the last position is the most urgent.
    let isReversed: Bool
    /// Whether a load begun now ends just before the row comes into view, in a list that moves
    /// faster than its loads can follow.
    var isMet = false

    var priority: LoadPriority {
      switch range {
      case _ where isMet: .visible
      case .visible: .visible
      case .imminent: .imminent
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

  /// The stretches, most urgent first, without overlaps or gaps.
  ///
  /// What a load still meets, if the list moves faster than loads can follow; what is visible;
  /// those of the imminent range; those of the preload range. Of each range the leading side comes
  /// before the trailing one. What is visible is in the order of the list at rest, and begins at
  /// the leading end in a movement.
  let segments: [Segment]
  /// The smallest range that holds all of them.
  let bounds: Range<Int>

  /// Plans at most `maximumCount` positions of a list of `count` rows; the pace is `nil` until a
  /// load has been timed.
  init(
    viewport: Viewport,
    ranges: RangeTuning,
    lookAhead: Duration,
    pace: LoadPace? = nil,
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
      extend(.imminent, forward: isForward, to: ranges.imminent)
      extend(
        .preload,
        forward: isForward,
        to: ranges.leading,
        keeping: viewport.rowsAskedAhead
      )
      extend(.preload, forward: !isForward, to: ranges.trailing)
    }
    if let pace, let met = Self.met(by: pace, viewport, visible) {
      segments = Self.leading(segments, with: met)
    }
    self.segments = segments.filter { !$0.positions.isEmpty }
    self.bounds = bounds
  }

  /// The positions that come into view between the end of a load begun now and one viewport later;
  /// `nil` when loads can follow.
  private static func met(
    by pace: LoadPace,
    _ viewport: Viewport,
    _ visible: Range<Int>
  ) -> Range<Int>? {
    let rowsPerSecond = viewport.rowsPerSecond
    guard rowsPerSecond > pace.rowsPerSecond else { return nil }
    let passed = (rowsPerSecond * (pace.serviceTime / .seconds(1))).rounded(.up)
    // Positions further away are in no range.
    let distance = Int(min(passed, Double(1 << 32)))
    return viewport.direction == .forward
      ? visible.upperBound + distance..<visible.upperBound + distance + visible.count
      : visible.lowerBound - distance - visible.count..<visible.lowerBound - distance
  }

  /// Puts a stretch before all others, cut out of those that contain it.
  private static func leading(_ segments: [Segment], with met: Range<Int>) -> [Segment] {
    var first: [Segment] = []
    var others: [Segment] = []
    for segment in segments {
      let positions = segment.positions
      let common = positions.clamped(to: met)
      guard segment.range != .visible, !common.isEmpty else {
        others.append(segment)
        continue
      }
      func part(_ positions: Range<Int>) -> Segment {
        Segment(positions: positions, range: segment.range, isReversed: segment.isReversed)
      }
      var isMet = part(common)
      isMet.isMet = true
      first.append(isMet)
      let around = [
        part(positions.lowerBound..<common.lowerBound),
        part(common.upperBound..<positions.upperBound),
      ]
      others += segment.isReversed ? around.reversed() : around
    }
    return first + others
  }

  private static func cut(_ range: Range<Int>, to maximumCount: Int) -> Range<Int> {
    range.count <= maximumCount
      ? range : range.lowerBound..<range.lowerBound + max(0, maximumCount)
  }
}
