internal import SnippetStorage

extension SnippetLoader {
  /// Tries again at once to load what a cell failed to get, or waits to retry.
  ///
  /// The cell shows that it is loading. Nothing happens to a cell that is not bound or has
  /// everything.
  ///
  /// - Parameter cell: The cell.
  public func retry(_ cell: some SnippetCell) {
    guard let slot = bindings.slot(of: cell) else { return }
    trace?.record(.retried(.slot(slot)))
    retry(slot)
  }

  /// Forgets all failures, and tries again at once for every bound cell that shows one.
  ///
  /// Call it when a network or a disk is back.
  public func retryAll() {
    trace?.record(.retried(.all))
    pipeline.forgetFailures()
    for slot in bindings.openSlots { retry(slot) }
    followViewport()
  }

  /// Loads the blob of a cell again, and forgets the one in memory and any failure.
  ///
  /// - Parameter cell: The cell. It shows that it is loading.
  public func reset(_ cell: some SnippetCell) {
    guard let slot = bindings.slot(of: cell) else { return }
    trace?.record(.reset(.slot(slot)))
    for part in bindings.slots[slot].parts { pipeline.forget(part.key) }
    restart(slot) { _ in true }
  }

  /// Forgets the content of the row at a position, and any failure.
  ///
  /// A cell that shows the snippet loads it again, otherwise the next one does.
  ///
  /// - Parameter position: A position in the list; one outside of it is ignored.
  public func reset(at position: Int) {
    guard !isClosed, case .success(let row) = row(at: position) else { return }
    trace?.record(.reset(.position(position)))
    for recipe in rules.wanted(row, .visible) {
      pipeline.forget(graph.key(of: row, by: recipe))
    }
    let content = LoadKey(of: row).content
    for slot in bindings.openSlots
    where bindings.slots[slot].row.map({ LoadKey(of: $0).content }) == content {
      restart(slot) { _ in true }
    }
    followViewport()
  }

  /// Forgets all blobs and failures, and loads again what is bound and around the viewport, as for
  /// pull-to-refresh.
  public func resetAll() {
    trace?.record(.reset(.all))
    pipeline.forgetAll()
    for slot in bindings.openSlots { restart(slot) { _ in true } }
    followViewport()
  }

  private func retry(_ slot: Int) {
    for part in bindings.slots[slot].parts where part.isAsking { pipeline.retry(part.key) }
    restart(slot) { part in
      if case .failed = part.state { true } else { false }
    }
  }

  /// Begins again with some parts of a binding.
  private func restart(_ slot: Int, where isConcerned: (BoundPart) -> Bool) {
    guard !isClosed, let cell = bindings.slots[slot].cell else { return }
    for part in bindings.slots[slot].parts.indices
    where isConcerned(bindings.slots[slot].parts[part]) {
      start(part, of: slot)
    }
    showDecisions(slot, bindings.slots[slot].era, in: cell)
    settleIfPossible()
  }
}
