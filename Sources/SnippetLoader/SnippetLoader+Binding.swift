internal import SnippetStore

extension SnippetLoader {
  /// Lets a cell show the row at a position, and its blob.
  ///
  /// The row is in the cell when this returns, and so is the blob if it is in memory; otherwise the
  /// cell shows ``LoadState/loading`` and gets the blob, or the failure, in a later turn of the main
  /// actor. From now on the cell is known by the snippet that it shows: whatever was on its way for
  /// its former binding never reaches it.
  ///
  /// A cell that shows this snippet already is left as it is, so nothing flickers; after a failure
  /// for which ``LoadError/isRetryable`` holds, binding it again asks again.
  ///
  /// - Parameters:
  ///   - cell: The cell. It is held weakly.
  ///   - position: The position in the list. Outside of the list the bind fails.
  /// - Returns: What the cell shows now.
  /// - Complexity: O(1) when the row is near the viewport; otherwise one read of rows.
  @discardableResult
  public func bind(_ cell: some SnippetCell, to position: Int) -> BindOutcome {
    guard !isClosed else {
      return fail(cell, LoadError(.cancelled, reason: "the loader is closed"))
    }
    switch row(at: position) {
    case .success(let row): return present(row, in: cell)
    case .failure(let error): return fail(cell, error)
    }
  }

  /// Ends the binding of a cell, as when the cell leaves the screen.
  ///
  /// The load is given up unless somebody else wants it. The cell is left as it is: what it shows is
  /// reset when it is used again. A cell that is not bound is left alone.
  ///
  /// - Parameter cell: The cell itself; its former position plays no part.
  public func unbind(_ cell: some SnippetCell) {
    guard let slot = bindings.slot(of: cell) else { return }
    release(slot)
    bindings.close(slot)
    settleIfPossible()
  }

  /// Shows a row in a cell and sees to its blob.
  func present(_ row: SnippetRow, in cell: any SnippetCell) -> BindOutcome {
    let slot = openSlot(for: cell)
    let key = LoadKey(row)
    let isSame = bindings.slots[slot].snippetID == row.id && bindings.slots[slot].key == key
    let isRowShown = isSame && bindings.slots[slot].revision == row.revision
    let decision: Decision
    if isSame {
      decision = resume(slot)
    } else {
      release(slot)
      bindings.slots[slot].snippetID = row.id
      bindings.slots[slot].key = key
      decision = start(slot)
    }
    bindings.slots[slot].revision = row.revision

    // The cell is the caller's code and may call back into the loader. By now all is decided, and
    // what follows the row is shown only if it still holds.
    let token = bindings.token(of: slot)
    if !isRowShown { cell.show(row) }
    if let state = decision.state { show(state, for: token, in: cell) }
    settleIfPossible()
    return decision.outcome
  }

  /// Asks again for a binding whose loads were given up.
  func reload(_ slot: Int) {
    guard let cell = bindings.slots[slot].cell else { return }
    let decision = start(slot)
    // The cell shows already that it waits.
    guard let state = decision.state, state != .loading else { return }
    show(state, for: bindings.token(of: slot), in: cell)
  }

  /// Ends the binding in a slot; what was asked for it is stale from here.
  func release(_ slot: Int) {
    if let key = bindings.slots[slot].key {
      switch bindings.slots[slot].state {
      case .waiting, .failed: coordinator.leave(key, by: bindings.token(of: slot))
      case .idle, .interrupted, .loaded: break
      }
    }
    _ = bindings.advance(slot)
    bindings.slots[slot].state = .idle
  }

  // MARK: - Decisions

  /// What a bind came to, and what to show for it.
  private struct Decision {
    var outcome: BindOutcome
    var state: LoadState?
  }

  /// A cell is bound to what it shows already.
  private func resume(_ slot: Int) -> Decision {
    switch bindings.slots[slot].state {
    case .idle, .loaded:
      return Decision(outcome: .unchanged)
    case .waiting:
      // The bytes may be here, and only their delivery outstanding: it would come too late now.
      guard let key = bindings.slots[slot].key, let blob = coordinator.arrivedBlob(for: key)
      else { return Decision(outcome: .unchanged) }
      return hit(blob, slot)
    case .interrupted:
      return start(slot)
    case .failed(let error):
      guard error.isRetryable else { return Decision(outcome: .failed(error)) }
      return start(slot)
    }
  }

  /// A cell needs what it is bound to.
  private func start(_ slot: Int) -> Decision {
    release(slot)
    guard let key = bindings.slots[slot].key else {
      return Decision(outcome: .noBlob, state: .idle)
    }
    // Before the first viewport all that is bound counts as visible; later, what is bound outside of
    // it is about to come in.
    let priority = priorities[key] ?? (viewport == nil ? .visible : .imminent)
    let answer = coordinator.ask(key, for: bindings.token(of: slot), priority: priority)
    switch answer {
    case .hit(let blob):
      return hit(blob, slot)
    case .pending:
      bindings.slots[slot].state = .waiting
      bindings.slots[slot].priority = priority
      return Decision(outcome: .pending, state: .loading)
    case .failed(let error):
      bindings.slots[slot].state = .failed(error)
      tally.delivered += 1
      return Decision(outcome: .failed(error), state: .failed(error))
    }
  }

  private func hit(_ blob: LoadedBlob, _ slot: Int) -> Decision {
    // A cell that was bound with a cancelled load may still have mail on its way.
    _ = bindings.advance(slot)
    bindings.slots[slot].state = .loaded
    tally.delivered += 1
    return Decision(outcome: .hit, state: .loaded(blob))
  }

  private func show(_ state: LoadState, for token: BindingToken, in cell: any SnippetCell) {
    guard bindings.isCurrent(token) else { return }
    if state == .loading, !bindings.slots[Int(token.slot)].isWaiting { return }
    cell.show(state)
  }

  private func fail(_ cell: any SnippetCell, _ error: LoadError) -> BindOutcome {
    if let slot = bindings.slot(of: cell) {
      release(slot)
      bindings.close(slot)
    }
    cell.prepareForReuse()
    cell.show(.failed(error))
    settleIfPossible()
    return .failed(error)
  }

  private func openSlot(for cell: any SnippetCell) -> Int {
    if let slot = bindings.slot(of: cell) { return slot }
    if let stale = bindings.staleSlot(at: cell) {
      release(stale)
      bindings.close(stale)
    }
    return bindings.open(for: cell)
  }
}
