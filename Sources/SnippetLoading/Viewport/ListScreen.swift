internal import SnippetStorage

/// The screen of a list: what is visible of it, which way it moves, and so how much is loaded
/// around it and how urgent each load is.
@MainActor
final class ListScreen {
  private let ranges: RangeTuning
  private let maximumRowCount: Int
  /// The mode that the host has set.
  var rangeMode = RangeMode.full
  /// How short memory is.
  var pressure = MemoryPressure.normal
  /// Whether the list is off screen.
  var isSuspended = false
  /// Whether loads are kept in line with the viewport; not after they were cancelled, until the
  /// next movement.
  private(set) var isFollowed = false
  /// What is visible of the state of the list that the rows are of; `nil` until the host has said.
  private(set) var viewport: Viewport?
  /// How often the host has said what is visible.
  private(set) var movementCount = 0
  /// What is visible apart from the viewport.
  private var otherStretches: [Range<HostPosition>] = []
  /// The positions that the host expects on screen soon, in the order in which it said so.
  private var hints: [HostPosition] = []
  /// How many loads a row around the viewport needed on average when it was last looked at.
  private(set) var loadsPerRow = 1.0
  /// How urgent what the plan asks for is.
  private var priorities: [LoadKey: LoadPriority] = [:]

  init(ranges: RangeTuning, maximumRowCount: Int) {
    self.ranges = ranges
    self.maximumRowCount = maximumRowCount
  }

  // MARK: - Movement

  /// The list moves.
  ///
  /// - Parameters:
  ///   - shown: What is visible in the longest stretch from now on.
  ///   - stretches: What else is visible.
  ///   - instant: The time.
  ///   - speed: The speed in rows per second if the host knows it.
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

  /// The rows on screen stand elsewhere because the list has changed.
  func keep(_ shown: Range<WindowPosition>?) {
    viewport?.keep(shown?.rawValues ?? 0..<0)
  }

  /// Time has passed.
  func wait(until instant: ContinuousClock.Instant) {
    viewport?.wait(until: instant)
  }

  /// Loads are in line with the viewport again.
  func follow() {
    isFollowed = viewport != nil
  }

  /// All loads were cancelled.
  func rest() {
    isFollowed = false
    priorities = [:]
  }

  /// Another list is on screen, of which nothing is visible yet.
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

  /// Forgets some positions that were to come on screen soon.
  ///
  /// - Returns: Whether there were any.
  func expectNoLonger(_ positions: some Sequence<HostPosition>) -> Bool {
    guard !hints.isEmpty else { return false }
    let taken = Set(positions)
    hints.removeAll(where: taken.contains)
    return true
  }

  /// The list has changed, and other rows stand at the positions.
  func forgetHints() {
    hints = []
  }

  /// Where the rows that may come on screen soon stand in the window's state.
  func hints(in rows: RowMachine) -> [WindowPosition] {
    hints.compactMap(rows.position)
  }

  // MARK: - Loads

  /// The range mode, or the one that the pressure of memory allows if that is narrower.
  var effectiveRangeMode: RangeMode {
    let allowed: RangeMode =
      switch pressure {
      case .normal: .full
      case .warning: .minimum
      case .critical: .lowMemory
      }
    return rangeMode.narrowness < allowed.narrowness ? allowed : rangeMode
  }

  /// What to load, going by the mode, the movement and the time that loads take.
  ///
  /// - Parameters:
  ///   - pace: How fast loads are; `nil` when none has been timed.
  ///   - count: The length of the list; `nil` where it is not known.
  /// - Returns: The plan; `nil` until the host has said what is visible.
  func plan(_ pace: LoadPace?, count: Int?) -> RangePlan? {
    viewport.map {
      RangePlan(
        viewport: $0,
        ranges: ranges[effectiveRangeMode],
        lookAhead: ranges.lookAhead.duration(serviceTime: pace?.serviceTime),
        pace: pace,
        count: count ?? RowWindow.longestCount,
        maximumCount: maximumRowCount
      )
    }
  }

  /// Notes what a plan leads to.
  func note(_ plan: RangePlan, _ desire: Desire) {
    priorities = desire.priorities
    if !plan.bounds.isEmpty {
      loadsPerRow = Double(desire.loads.count) / Double(plan.bounds.count)
    }
  }

  /// Notes which plan is followed from now on.
  func follow(_ plan: RangePlan) {
    viewport?.note(plan)
  }

  /// How urgent the load of a bound cell is; what is not planned comes last.
  func priority(of key: LoadKey) -> LoadPriority { priorities[key] ?? .preload }

  /// How urgent the load of a cell is that is being bound at a position.
  func priority(of key: LoadKey, boundAt position: HostPosition?) -> LoadPriority {
    // Before the first viewport all that is bound counts as visible; later, what is bound outside
    // of it is about to come in.
    priorities[key] ?? (viewport == nil || isInOtherStretch(position) ? .visible : .imminent)
  }
}

extension RangeMode {
  /// The place of the mode from the widest to the narrowest.
  fileprivate var narrowness: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
