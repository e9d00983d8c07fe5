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
      hints: hints.compactMap(rows.position),
      window: rows.window,
      rules: rules,
      graph: graph
    )
    priorities = desire.priorities
    pipeline.reconcile(desire.loads, of: id)
    followBindings()
    refreshUnreadRows()
  }

  /// What must be read so that nothing on screen is missing.
  private func requestForScreen() -> RowRequest? {
    guard let visible = viewport?.visible else { return nil }
    return rows.request(plan?.bounds ?? visible, needing: visible, mayBeUncounted: mayBeUncounted)
  }

  /// What to load, going by the mode, the movement and the time that loads take.
  private var plan: RangePlan? {
    viewport.map {
      RangePlan(
        viewport: $0,
        ranges: configuration.ranges[effectiveRangeMode],
        lookAhead: configuration.ranges.lookAhead.duration(
          serviceTime: pipeline.meanServiceTime
        ),
        count: rows.window.count ?? RowWindow.longestCount,
        maximumCount: configuration.maximumRowCount
      )
    }
  }

  /// Asks again for what was cancelled, and tells the pipeline how urgent the rest is now.
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
        pipeline.setPriority(priority, of: bound.key, for: bindings.token(of: part, in: slot))
      }
      if isInterrupted { resume(slot) }
    }
    settleIfPossible()
  }
}
