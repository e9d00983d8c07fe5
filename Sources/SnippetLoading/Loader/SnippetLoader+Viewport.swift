extension SnippetLoader {
  /// Moves the viewport to the positions that are visible now.
  ///
  /// Loads are started, reordered and cancelled to match. Rows that are missing on screen, as after
  /// a jump, are read at once; rows ahead of the movement are read off the main actor. Positions
  /// outside the list are ignored. Direction and, unless given, speed come from the movement.
  ///
  /// - Parameters:
  ///   - visible: The positions on screen, whole or in part.
  ///   - speed: The speed of the list in rows per second, negative towards its start. The default
  ///     is to measure it. A value that is not finite is ignored.
  /// - Complexity: O(*n*) in the number of rows around the viewport.
  public func show(visible: Range<Int>, speed: Double? = nil) {
    guard !isClosed else { return }
    follow(visible, besides: [], speed: speed)
  }

  /// Moves the viewport to positions in several places: the rows of a scattered layout, or a header
  /// that stays on screen while the list scrolls below it.
  ///
  /// Visible rows come first wherever they are, and stay in memory. The list scrolls the longest
  /// stretch; rows are loaded ahead around that one. Several lists on one screen have a loader
  /// each, and share a ``LoadPipeline``.
  ///
  /// - Parameters:
  ///   - stretches: The positions on screen, in any order. An empty array means an empty screen.
  ///   - speed: The speed of the longest stretch in rows per second, negative towards the start.
  ///     The default is to measure it. A value that is not finite is ignored.
  /// - Complexity: O(*n*) in the number of rows around the longest stretch, and of bound cells.
  public func show(stretches: [Range<Int>], speed: Double? = nil) {
    guard !isClosed else { return }
    let longest = stretches.max { $0.count < $1.count } ?? 0..<0
    let others = stretches.filter { $0 != longest && !$0.isEmpty }
    follow(longest, besides: others, speed: speed)
  }

  /// Follows the stretch that the list scrolls.
  private func follow(_ visible: Range<Int>, besides others: [Range<Int>], speed: Double?) {
    let visible = visible.clamped(to: 0..<RowWindow.longestCount)
    screen.keep(reader.machine.shown)
    let shown = reader.look(at: Range(visible))
    screen.move(to: shown, besides: others.map { Range($0) }, at: now(), speed: speed)
    followViewport()
    reader.refresh()
  }

  /// Updates rows, loads and pins for the viewport.
  func followViewport() {
    guard screen.isFollowed, !screen.isSuspended, screen.viewport != nil else { return }
    screen.keep(reader.machine.shown)
    screen.wait(until: now())
    for _ in 0..<2 {
      // Once more if the list has changed, and its visible rows have moved beyond the rows just
      // read.
      guard readMissingRows() else { break }
    }
    guard let plan else { return }
    reader.follow(Range(plan.bounds))
    let desire = Desire(
      plan: plan,
      besides: binder.bindings.open.filter { screen.isInOtherStretch($0.position) }
        .compactMap(\.row),
      hints: screen.hints(in: reader.machine).map(\.rawValue),
      window: reader.machine.window,
      rules: binder.rules,
      graph: binder.graph
    )
    screen.note(plan, desire)
    pipeline.reconcile(desire.loads, of: id)
    binder.follow()
    settleIfPossible()
    binder.refreshUnreadRows(reader)
    settleIfPossible()
  }

  /// Reads at once the rows that are missing on screen.
  ///
  /// - Returns: Whether something was read.
  private func readMissingRows() -> Bool {
    guard let visible = screen.viewport?.visible else { return false }
    let isRead = reader.readMissing(Range(plan?.bounds ?? visible), needing: Range(visible))
    screen.keep(reader.machine.shown)
    return isRead
  }

  private var plan: RangePlan? {
    screen.plan(
      pipeline.pace(loadsPerRow: screen.loadsPerRow),
      count: reader.machine.window.count
    )
  }
}
