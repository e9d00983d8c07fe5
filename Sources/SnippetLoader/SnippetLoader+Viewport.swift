internal import SnippetStore

extension SnippetLoader {
  /// Says which positions are visible.
  ///
  /// Starts, hurries, delays and gives up loads so that they are those of the new range. Rows that
  /// are missing on screen, as after a jump, are read at once; those that the movement leads to are
  /// read ahead, apart from the main actor. Positions outside of the list are left out. The
  /// direction is told from the movement.
  ///
  /// - Parameter visible: The positions on screen, whole or in part.
  /// - Complexity: O(*n*) in the number of rows around the viewport.
  public func viewportDidChange(_ visible: Range<Int>) {
    guard !isClosed else { return }
    trace?.record(.viewportMoved(to: visible))
    let list = 0..<(window.count ?? .max)
    if viewport == nil {
      viewport = Viewport(visible: visible.clamped(to: list))
    } else {
      viewport?.move(to: visible.clamped(to: list))
    }
    isFollowing = true
    followViewport()
  }

  /// Brings rows, loads and pins in line with the viewport.
  func followViewport() {
    guard isFollowing, !isSuspended, let visible = viewport?.visible else { return }
    if !window.covers(visible) {
      readNow(plan?.bounds ?? visible)
      viewport?.clamp(toCount: window.count ?? 0)
    }
    guard let plan else { return }
    let margin = readAhead
    readAhead(max(0, plan.bounds.lowerBound - margin)..<plan.bounds.upperBound + margin)
    trimWindow(around: plan.bounds)
    let desire = Desire(
      plan: plan,
      window: window,
      rules: rules,
      byteLimit: configuration.cacheByteLimit
    )
    priorities = desire.priorities
    coordinator.reconcile(desire.loads)
    followBindings()
  }

  private var plan: RangePlan? {
    viewport.map {
      RangePlan(
        viewport: $0,
        tuning: configuration.ranges,
        count: window.count ?? .max,
        maximumCount: configuration.maximumRowCount
      )
    }
  }

  /// Asks again for what was given up, and tells the coordinator how urgent the rest is now.
  private func followBindings() {
    for slot in bindings.openSlots {
      guard bindings.slots[slot].cell != nil else {
        trace?.record(.unbound(slot: slot))
        release(slot)
        bindings.close(slot)
        continue
      }
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
