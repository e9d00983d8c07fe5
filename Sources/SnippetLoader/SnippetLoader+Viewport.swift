internal import SnippetStore

extension SnippetLoader {
  /// Says which positions are visible.
  ///
  /// Reads the rows that are missing for them and for what is loaded ahead, in one call to the list;
  /// then starts, hurries, delays and gives up loads so that they are those of the new range.
  /// Positions outside of the list are left out. The direction is told from the movement, and so is
  /// the speed unless it is given.
  ///
  /// - Parameters:
  ///   - visible: The positions on screen, whole or in part.
  ///   - speed: How fast the list moves, in rows per second, negative towards its start. The default
  ///     is to measure it. What is not finite counts as not given.
  /// - Complexity: O(*n*) in the number of rows around the viewport.
  public func viewportDidChange(_ visible: Range<Int>, speed: Double? = nil) {
    guard !isClosed else { return }
    let visible = visible.clamped(to: 0..<max(0, rows.count))
    let instant = now()
    var moved = viewport ?? Viewport(visible: visible, at: instant)
    moved.move(to: visible, at: instant, speed: speed)
    viewport = moved
    followViewport()
  }

  /// Says that the list has changed: rows were inserted, deleted, moved or edited.
  ///
  /// Reads the rows around the viewport again. A bound cell whose snippet is among them and has a
  /// new revision shows it at once, and loads its blob if that is another. Bindings follow snippets,
  /// not positions: cells whose position now belongs to another snippet must be bound again.
  public func rowsDidChange() {
    guard !isClosed else { return }
    window.removeAll()
    viewport?.clamp(toCount: rows.count)
    followViewport()
    refreshBoundRows()
  }

  /// The row at a position: from the window, or read from the list.
  func row(at position: Int) -> Result<SnippetRow, LoadError> {
    let count = rows.count
    guard position >= 0, position < count else {
      return .failure(LoadError(.rowUnavailable))
    }
    if window[position] == nil {
      readRows(covering: position..<position + 1, count: count)
      let reach = configuration.maximumRowCount
      window.trim(to: max(0, position - reach)..<min(count, position + reach))
    }
    if let row = window[position] { return .success(row) }
    return .failure(rowFailure ?? LoadError(.rowUnavailable))
  }

  /// Follows the ranges of another mode.
  func rangeModeDidChange() {
    followViewport()
    guard rangeMode == .lowMemory else { return }
    let visibleRows = (viewport?.visible ?? 0..<0).prefix(configuration.maximumRowCount)
    let limit = configuration.cacheByteLimit
    trimCache(
      to: visibleRows.reduce(0) { total, position in
        total + min(window[position].map(Desire.cost(of:)) ?? 0, limit - total)
      }
    )
  }

  /// Brings window, loads and pins in line with the viewport.
  private func followViewport() {
    viewport?.wait(until: now())
    guard let viewport else { return }
    let tuning = configuration.ranges
    let count = rows.count
    let plan = RangePlan(
      viewport: viewport,
      ranges: tuning[rangeMode],
      lookAhead: tuning.lookAhead.duration(serviceTime: executor.meanServiceTime),
      count: count,
      maximumCount: configuration.maximumRowCount
    )
    self.viewport?.note(plan)
    readRows(covering: plan.bounds, count: count)
    let slack = readAhead
    window.trim(to: max(0, plan.bounds.lowerBound - slack)..<plan.bounds.upperBound + slack)
    let desire = Desire(plan: plan, window: window, byteLimit: configuration.cacheByteLimit)
    priorities = desire.priorities
    coordinator.reconcile(desire.loads)
    followBindings()
  }

  /// Asks again for what was given up, and tells the coordinator how urgent the rest is now.
  private func followBindings() {
    for slot in bindings.openSlots {
      guard bindings.slots[slot].cell != nil else {
        release(slot)
        bindings.close(slot)
        continue
      }
      guard let key = bindings.slots[slot].key else { continue }
      switch bindings.slots[slot].state {
      case .waiting, .failed:
        let priority = priorities[key] ?? .preload
        guard priority != bindings.slots[slot].priority else { continue }
        bindings.slots[slot].priority = priority
        coordinator.setPriority(priority, of: key, for: bindings.token(of: slot))
      case .interrupted:
        reload(slot)
      case .idle, .loaded:
        continue
      }
    }
    settleIfPossible()
  }

  /// Shows new revisions in the cells that are bound to the rows of the window.
  private func refreshBoundRows() {
    var rowByID: [SnippetID: SnippetRow] = [:]
    for position in window.range {
      guard let row = window[position] else { continue }
      rowByID[row.id] = row
    }
    for slot in bindings.openSlots {
      guard let id = bindings.slots[slot].snippetID, let row = rowByID[id],
        row.revision != bindings.slots[slot].revision, let cell = bindings.slots[slot].cell
      else { continue }
      _ = present(row, in: cell)
    }
  }

  /// How many rows are read beyond what is needed, so that a slow scroll reads now and then only.
  private var readAhead: Int {
    max(16, viewport?.visible.count ?? 0)
  }

  private func readRows(covering wanted: Range<Int>, count: Int) {
    let missing = window.missing(from: wanted, slack: readAhead, count: count)
    guard !missing.isEmpty else { return }
    tally.rowReads += 1
    do {
      let read = try rows.rows(in: missing)
      tally.rowsRead += read.count
      rowFailure = nil
      window.insert(Array(read.prefix(missing.count)), at: missing.lowerBound)
    } catch {
      rowFailure = LoadError(.rowUnavailable, reason: String(describing: error))
    }
  }
}
