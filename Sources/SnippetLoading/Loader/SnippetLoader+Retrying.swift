extension SnippetLoader {
  /// Retries at once the loads of a cell that failed or wait for a retry.
  ///
  /// The cell shows that it is loading. Does nothing for a cell that is not bound or is complete.
  ///
  /// - Parameter cell: The cell.
  public func retry(_ cell: some SnippetCell) {
    guard let binding = binder.bindings.binding(of: cell) else { return }
    binder.retry(binding)
    settleIfPossible()
  }

  /// Forgets all failures, and retries at once for every bound cell that shows one.
  ///
  /// Call it when a network or a disk is back.
  public func retryAll() {
    pipeline.forgetFailures()
    for binding in binder.bindings.open { binder.retry(binding) }
    followViewport()
    settleIfPossible()
  }

  /// Loads the content of a cell again, after forgetting the blob in memory and any failure.
  ///
  /// - Parameter cell: The cell. It shows that it is loading.
  public func reset(_ cell: some SnippetCell) {
    guard let binding = binder.bindings.binding(of: cell) else { return }
    for part in binding.parts { pipeline.forget(part.key) }
    binder.restart(binding)
    settleIfPossible()
  }

  /// Forgets the content of the row at a position, and any failure.
  ///
  /// A cell that shows the snippet loads it again; otherwise the next cell bound to it does.
  ///
  /// - Parameter position: A position in the list; one outside of it is ignored.
  public func reset(at position: Int) {
    guard !isClosed, case .success(let row) = row(at: position) else { return }
    for recipe in binder.rules.wanted(row, .visible) {
      pipeline.forget(binder.graph.key(of: row, by: recipe))
    }
    let content = LoadKey(of: row).content
    for binding in binder.bindings.open
    where binding.row.map({ LoadKey(of: $0).content }) == content {
      binder.restart(binding)
    }
    followViewport()
    settleIfPossible()
  }

  /// Forgets all blobs and failures, and loads again everything bound and around the viewport, as
  /// for pull-to-refresh.
  public func resetAll() {
    pipeline.forgetAll()
    for binding in binder.bindings.open { binder.restart(binding) }
    followViewport()
    settleIfPossible()
  }
}
