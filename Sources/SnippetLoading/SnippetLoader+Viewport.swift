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
    let visible = visible.clamped(to: 0..<RowWindow.longestCount)
    trace?.record(.viewportMoved(to: visible))
    hostVisible = visible.clamped(to: 0..<(table.count ?? RowWindow.longestCount))
    let shown = table.positions(of: hostVisible)
    let instant = now()
    var moved = viewport ?? Viewport(visible: shown, at: instant)
    moved.move(to: shown, at: instant, speed: speed)
    viewport = moved
    pool.expect(visibleCount: visible.count)
    isFollowing = true
    movementCount += 1
    followViewport()
    if reading.isRefreshDue { refreshRows() }
  }

  /// Brings rows, loads and pins in line with the viewport.
  func followViewport() {
    guard isFollowing, !isSuspended, let visible = viewport?.visible else { return }
    viewport?.wait(until: now())
    if !window.covers(visible), table.aside.listVersion == window.listVersion,
      table.aside.covers(visible)
    {
      // A list that jumps binds its cells there before it says what is visible.
      table.swapAside()
    }
    if !window.covers(visible) {
      readNow(plan?.bounds ?? visible)
      viewport?.clamp(toCount: window.count ?? 0)
      // The list may have changed, and what is visible of it have moved further than was read.
      if let visible = viewport?.visible, visible != hostVisible, !window.covers(visible) {
        readNow(plan?.bounds ?? visible)
      }
    }
    guard let plan else { return }
    viewport?.note(plan)
    let margin = readAhead
    readAhead(max(0, plan.bounds.lowerBound - margin)..<plan.bounds.upperBound + margin)
    trimWindow(around: plan.bounds)
    let desire = Desire(
      plan: plan,
      hints: hints.compactMap(table.position),
      window: window,
      rules: rules,
      byteLimit: configuration.cacheByteLimit
    )
    priorities = desire.priorities
    coordinator.reconcile(desire.loads)
    followBindings()
  }

  /// What to load, going by the mode, the movement and the time that loads take.
  private var plan: RangePlan? {
    viewport.map {
      RangePlan(
        viewport: $0,
        ranges: configuration.ranges[effectiveRangeMode],
        lookAhead: configuration.ranges.lookAhead.duration(
          serviceTime: coordinator.meanServiceTime
        ),
        count: window.count ?? RowWindow.longestCount,
        maximumCount: configuration.maximumRowCount
      )
    }
  }

  /// Asks again for what was cancelled, and tells the coordinator how urgent the rest is now.
  private func followBindings() {
    closeSlotsOfGoneCells()
    for slot in bindings.openSlots {
      var isInterrupted = false
      for part in bindings.slots[slot].parts.indices {
        let bound = bindings.slots[slot].parts[part]
        if case .interrupted = bound.state { isInterrupted = true }
        let priority = priorities[bound.key] ?? .preload
        guard bound.isAsking, priority != bound.priority else { continue }
        bindings.withPart(part, of: slot) { $0.priority = priority }
        coordinator.setPriority(priority, of: bound.key, for: bindings.token(of: part, in: slot))
      }
      if isInterrupted { resume(slot) }
    }
    settleIfPossible()
  }
}
