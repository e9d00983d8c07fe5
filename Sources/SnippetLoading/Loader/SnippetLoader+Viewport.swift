internal import SnippetStorage

extension SnippetLoader {
  /// Call this with the positions that are visible.
  ///
  /// It starts, reorders and cancels loads to match. Rows that are missing on screen, as after a
  /// jump, are read at once; rows ahead of the movement are read off the main actor. Positions
  /// outside the list are ignored. Direction and, unless given, speed come from the movement.
  ///
  /// - Parameters:
  ///   - visible: The positions on screen, whole or in part.
  ///   - speed: How fast the list moves, in rows per second, negative towards its start. The
  ///     default is to measure it. A value that is not finite is ignored.
  /// - Complexity: O(*n*) in the number of rows around the viewport.
  public func viewportDidChange(_ visible: Range<Int>, speed: Double? = nil) {
    guard !isClosed else { return }
    otherStretches = []
    follow(visible, speed: speed)
  }

  /// Call this with the positions that are visible where they are in several places: the rows of a
  /// scattered layout, or a header that stays on screen while the list scrolls below it.
  ///
  /// What is visible comes first wherever it is, and stays in memory. The longest stretch is the one
  /// that the list scrolls, and around which rows are loaded ahead. Several lists on one screen
  /// have a loader each, and share a ``LoadPipeline``.
  ///
  /// - Parameters:
  ///   - stretches: The positions on screen, in any order. An empty array is an empty screen.
  ///   - speed: How fast the longest stretch moves, in rows per second, negative towards the start.
  ///     The default is to measure it. A value that is not finite is ignored.
  /// - Complexity: O(*n*) in the number of rows around the longest stretch, and of bound cells.
  public func viewportDidChange(stretches: [Range<Int>], speed: Double? = nil) {
    guard !isClosed else { return }
    let longest = stretches.max { $0.count < $1.count } ?? 0..<0
    otherStretches = stretches.filter { $0 != longest && !$0.isEmpty }
    follow(longest, speed: speed)
  }

  /// Follows the stretch that the list scrolls.
  private func follow(_ visible: Range<Int>, speed: Double?) {
    let visible = visible.clamped(to: 0..<RowWindow.longestCount)
    trace?.record(.viewportMoved(to: visible))
    rows.look(at: visible)
    let shown = rows.shown ?? visible
    let instant = now()
    var moved = viewport ?? Viewport(visible: shown, at: instant)
    moved.move(to: shown, at: instant, speed: speed)
    viewport = moved
    pool.expect(visibleCount: visible.count)
    isFollowing = true
    movementCount += 1
    followViewport()
    readApart(rows.requestRefresh())
  }

  /// Brings rows, loads and pins in line with the viewport.
  func followViewport() {
    guard isFollowing, !isSuspended, viewport != nil else { return }
    viewport?.wait(until: now())
    for _ in 0..<2 {
      // Once more where the list has changed, and what is visible of it has moved further than was
      // read.
      guard case .rows = readNow(requestForScreen()) else { break }
    }
    guard let plan else { return }
    viewport?.note(plan)
    readApart(rows.requestAhead(plan.bounds))
    rows.trim(around: plan.bounds)
    let desire = Desire(
      plan: plan,
      besides: bindings.open.filter(isInOtherStretch).compactMap(\.row),
      hints: hints.compactMap(rows.position),
      window: rows.window,
      rules: rules,
      graph: graph
    )
    priorities = desire.priorities
    if !plan.bounds.isEmpty {
      loadsPerRow = Double(desire.loads.count) / Double(plan.bounds.count)
    }
    pipeline.reconcile(desire.loads, of: id)
    followBindings()
    refreshUnreadRows()
  }

  /// Whether a cell is on screen apart from the stretch that the list scrolls.
  func isInOtherStretch(_ binding: Binding) -> Bool {
    guard !otherStretches.isEmpty, let position = binding.position else { return false }
    return otherStretches.contains { $0.contains(position) }
  }

  /// What must be read so that nothing on screen is missing.
  private func requestForScreen() -> RowRequest? {
    guard let visible = viewport?.visible else { return nil }
    return rows.request(plan?.bounds ?? visible, needing: visible, mayBeUncounted: mayBeUncounted)
  }

  /// What to load, going by the mode, the movement and the time that loads take.
  private var plan: RangePlan? {
    viewport.map {
      let pace = pipeline.pace(loadsPerRow: loadsPerRow)
      return RangePlan(
        viewport: $0,
        ranges: configuration.ranges[effectiveRangeMode],
        lookAhead: configuration.ranges.lookAhead.duration(serviceTime: pace?.serviceTime),
        pace: pace,
        count: rows.window.count ?? RowWindow.longestCount,
        maximumCount: configuration.maximumRowCount
      )
    }
  }

  /// Asks again for what was cancelled, and tells the pipeline how urgent the rest is now.
  private func followBindings() {
    closeBindingsOfGoneCells()
    for binding in bindings.open {
      var isInterrupted = false
      for part in binding.parts.indices {
        let bound = binding.parts[part]
        if case .interrupted = bound.state { isInterrupted = true }
        let priority = priorities[bound.key] ?? .preload
        guard bound.isAsking, priority != bound.priority else { continue }
        binding.parts[part].priority = priority
        pipeline.setPriority(priority, of: bound.key, for: binding.token(of: part))
      }
      if isInterrupted { resume(binding) }
    }
    settleIfPossible()
  }
}
