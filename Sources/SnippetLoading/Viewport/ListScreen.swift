/// The visible part of a list and its movement, which decide how much to load around it and how
/// urgently.
@MainActor
final class ListScreen {
  private let maximumRowCount: Int
  /// The ranges that the host has set.
  var ranges: RangeTuning
  /// The memory pressure that the system reported last.
  var pressure = MemoryPressure.normal
  /// Whether the list is off screen.
  var isSuspended = false
  /// Whether loads follow the viewport.
  ///
  /// After a cancellation they do not, until the next movement.
  private(set) var isFollowed = false
  /// The viewport, in the state of the list that the rows have; `nil` until the host reports one.
  private(set) var viewport: Viewport?
  /// The number of movements that the host has reported.
  private(set) var movementCount = 0
  /// The visible stretches apart from the viewport.
  private var otherStretches: [Range<HostPosition>] = []
  /// The positions that the host expects on screen soon, in the order of its calls.
  private var hints: [HostPosition] = []
  /// The average number of loads for a row around the viewport, at the last plan.
  private(set) var loadsPerRow = 1.0
  /// The priorities of the planned loads.
  private var priorities: [LoadKey: LoadPriority] = [:]

  init(ranges: RangeTuning, maximumRowCount: Int) {
    self.ranges = ranges
    self.maximumRowCount = maximumRowCount
  }

  // MARK: - Movement

  /// Moves the viewport to the longest visible stretch, at a speed in rows per second if the host
  /// knows it.
  func move(
    to shown: Range<WindowPosition>,
    besides stretches: [Range<HostPosition>],
    at instant: ContinuousClock.Instant,
    speed: Double?
  ) {
    var moved = viewport ?? Viewport(visible: shown.rawValues, at: instant)
    moved.move(to: shown.rawValues, at: instant, speed: speed)
    viewport = moved
    otherStretches = stretches
    isFollowed = true
    movementCount += 1
  }

  /// Follows the rows on screen to their positions in the changed list.
  func keep(_ shown: Range<WindowPosition>?) {
    viewport?.keep(shown?.rawValues ?? 0..<0)
  }

  /// Notes that time has passed.
  func wait(until instant: ContinuousClock.Instant) {
    viewport?.wait(until: instant)
  }

  /// Lets loads follow the viewport again.
  func follow() {
    isFollowed = viewport != nil
  }

  /// Notes that all loads were cancelled.
  func rest() {
    isFollowed = false
    priorities = [:]
  }

  /// Forgets the viewport, because another list is shown and its viewport is not known yet.
  func leave() {
    viewport = nil
    hints = []
  }

  /// Whether a cell is on screen apart from the stretch that the list scrolls.
  func isInOtherStretch(_ position: HostPosition?) -> Bool {
    guard !otherStretches.isEmpty, let position else { return false }
    return otherStretches.contains { $0.contains(position) }
  }

  // MARK: - Hints

  /// Notes positions that may come on screen soon; the last 100 count.
  func expect(_ positions: some Sequence<HostPosition>) {
    for position in Array(positions).suffix(100) where !hints.contains(position) {
      hints.append(position)
    }
    hints.removeFirst(max(0, hints.count - 100))
  }

  /// Forgets some hints.
  ///
  /// - Returns: Whether there were any.
  func expectNoLonger(_ positions: some Sequence<HostPosition>) -> Bool {
    guard !hints.isEmpty else { return false }
    let taken = Set(positions)
    hints.removeAll(where: taken.contains)
    return true
  }

  /// Forgets all hints, because the list has changed and other rows are at the positions.
  func forgetHints() {
    hints = []
  }

  /// The positions of the hints in the window.
  func hints(in rows: RowMachine) -> [WindowPosition] {
    hints.compactMap(rows.position)
  }

  // MARK: - Loads

  /// The ranges, as far as the pressure of memory allows them.
  private var allowedRanges: RangeTuning {
    switch pressure {
    case .normal: ranges
    case .warning: ranges.limited(to: .minimum)
    case .critical: .none
    }
  }

  /// Plans the loads, from the ranges, the movement and the time that a load takes; `nil` until the
  /// host reports a viewport.
  func plan(_ pace: LoadPace?, count: Int?) -> RangePlan? {
    viewport.map {
      RangePlan(
        viewport: $0,
        ranges: allowedRanges,
        lookAhead: RangeTuning.lookAhead(serviceTime: pace?.serviceTime),
        pace: pace,
        count: count ?? RowWindow.longestCount,
        maximumCount: maximumRowCount
      )
    }
  }

  /// Notes the plan to follow from now on, and its loads.
  func note(_ plan: RangePlan, _ desire: Desire) {
    viewport?.note(plan)
    priorities = desire.priorities
    if !plan.bounds.isEmpty {
      loadsPerRow = Double(desire.loads.count) / Double(plan.bounds.count)
    }
  }

  /// Returns the priority of a bound cell's load; loads outside the plan come last.
  func priority(of key: LoadKey) -> LoadPriority { priorities[key] ?? .preload }

  /// Returns the priority of a load for a cell that is being bound at a position.
  func priority(of key: LoadKey, boundAt position: HostPosition?) -> LoadPriority {
    // Before the first viewport every bound cell counts as visible. Later, a cell bound outside the
    // viewport is about to enter it.
    priorities[key] ?? (viewport == nil || isInOtherStretch(position) ? .visible : .imminent)
  }
}
