public import SnippetStorage

extension SnippetLoader {
  /// Shows the row at a position and its blob in a cell.
  ///
  /// When this returns the cell has the row, and the blob if that is in memory. Otherwise it shows
  /// ``LoadState/loading(_:)`` and gets the blob or the failure later. Nothing that was on its way
  /// for its former snippet reaches it any more.
  ///
  /// A cell that already shows this snippet is left as it is, so nothing flickers. If it shows a
  /// failure that may pass, binding it again loads again once ``RetryPolicy/memory`` is over.
  ///
  /// - Parameters:
  ///   - cell: The cell. It is held weakly.
  ///   - position: The position in the list. Outside of the list the bind fails.
  /// - Returns: What the cell shows now.
  /// - Complexity: O(1) when the row is near the viewport; otherwise one read of rows.
  @discardableResult
  public func bind(_ cell: some SnippetCell, to position: Int) -> BindOutcome {
    switch row(at: position) {
    case .success(let row): return bind(cell, to: row, at: position)
    case .failure(let error): return noting(fail(cell, error), of: cell, to: position)
    }
  }

  /// Ends the binding of a cell that leaves the screen.
  ///
  /// Its loads are cancelled unless another cell needs them or the configuration lets them go on.
  /// The cell keeps what it shows until it is reused. Nothing happens to a cell that is not bound.
  ///
  /// - Parameter cell: The cell itself, whatever its position was.
  public func unbind(_ cell: some SnippetCell) {
    guard let slot = bindings.slot(of: cell) else { return }
    end(slot)
    settleIfPossible()
  }

  /// The row that a cell is bound to; `nil` when the cell is not bound.
  ///
  /// - Parameter cell: The cell.
  /// - Returns: The newest row that the cell was given.
  public func row(of cell: some SnippetCell) -> SnippetRow? {
    bindings.slot(of: cell).flatMap { bindings.slots[$0].row }
  }

  /// Lets a cell show a row that is known already.
  func bind(_ cell: any SnippetCell, to row: SnippetRow, at position: Int) -> BindOutcome {
    noting(present(row, in: cell, at: position), of: cell, to: position)
  }

  /// Shows a row in a cell, as the list has it and the editor makes of it, and sees to its blob.
  func present(
    _ stored: SnippetRow,
    in cell: any SnippetCell,
    at position: Int? = nil
  ) -> BindOutcome {
    let slot = openSlot(for: cell)
    // Before it asks: how urgent that is depends on the place.
    if let position { bindings.place(slot, at: position) }
    var row = stored
    if let editor {
      row = editor.shown(stored)
      bindings.keep(row == stored ? nil : stored, of: slot)
    }
    let recipes = rules.wanted(row, .visible)
    var isEmpty = false
    let outcome: BindOutcome
    if bindings.isBound(slot, to: row, recipes: recipes, by: graph) {
      bindings.update(slot, to: row)
      outcome = proceed(slot)
    } else {
      let formerParts = bindings.slots[slot].row?.id == row.id ? bindings.slots[slot].parts : []
      release(slot, goingOnTo: row, recipes)
      bindings.bind(slot, to: row, recipes: recipes, by: graph)
      outcome = start(slot)
      keepTexts(formerParts, of: slot)
      isEmpty = recipes.isEmpty && !bindings.slots[slot].outdated.contains(.original)
    }

    // The cell is the caller's code and may call back into the loader. By now all is decided, and
    // what was decided is shown only if it still holds.
    let era = bindings.slots[slot].era
    showRow(slot, era, in: cell)
    if isEmpty, era == bindings.slots[slot].era { cell.show(.idle, of: .original) }
    showDecisions(slot, era, in: cell)
    settleIfPossible()
    return outcome
  }

  /// Asks again for the parts of a binding whose loads were cancelled.
  func resume(_ slot: Int) {
    guard let cell = bindings.slots[slot].cell else { return }
    for part in bindings.slots[slot].parts.indices {
      guard case .interrupted = bindings.slots[slot].parts[part].state else { continue }
      start(part, of: slot)
      // The cell shows already that it waits, but not what has come to stand in since.
      bindings.withPart(part, of: slot) { part in
        if case .loading(let progress) = part.unshown,
          progress.standIn == nil || progress.standIn?.key == part.shownStandIn
        {
          part.unshown = nil
        }
      }
    }
    showDecisions(slot, bindings.slots[slot].era, in: cell)
  }

  /// Ends the binding in a slot.
  func end(_ slot: Int) {
    trace?.record(.unbound(slot: slot))
    release(slot)
    bindings.close(slot)
  }

  /// Ends what goes on for the binding in a slot; what was asked for it is stale from here.
  ///
  /// - Parameters:
  ///   - slot: The slot.
  ///   - next: What the cell will show. What that needs as well goes on. The default is nothing.
  ///   - recipes: What the row needs.
  private func release(_ slot: Int, goingOnTo next: SnippetRow? = nil, _ recipes: [Recipe] = []) {
    let isSame = next != nil && bindings.slots[slot].row?.id == next?.id
    for part in bindings.slots[slot].parts.indices {
      let key = bindings.slots[slot].parts[part].key
      if isSame, let next, recipes.contains(key.recipe), graph.key(of: next, by: key.recipe) == key
      {
        continue
      }
      leave(part, of: slot)
      bindings.withPart(part, of: slot) {
        $0.state = .idle
        $0.unshown = nil
      }
    }
  }

  // MARK: - Decisions

  /// A cell needs what it is bound to.
  private func start(_ slot: Int) -> BindOutcome {
    guard !bindings.slots[slot].parts.isEmpty else { return .rowOnly }
    proceed(slot)
    return outcome(of: slot)
  }

  /// Has a text stay on screen in its former revision until the new one is here.
  private func keepTexts(_ formerParts: [BoundPart], of slot: Int) {
    for part in bindings.slots[slot].parts.indices {
      guard case .loading(var progress) = bindings.slots[slot].parts[part].unshown,
        progress.standIn == nil
      else { continue }
      let key = bindings.slots[slot].parts[part].key
      let former = formerParts.first { $0.key.recipe == key.recipe }?.key
      guard key.blobID == nil, let former, former.blobID == nil else { continue }
      let text = pipeline.blobInMemory(for: former)
      progress.standIn = text
      bindings.withPart(part, of: slot) {
        $0.formerText = text
        $0.unshown = .loading(progress)
      }
    }
  }

  /// A cell is bound to what it shows already, or at least in part.
  @discardableResult
  private func proceed(_ slot: Int) -> BindOutcome {
    var hasMoved = false
    for part in bindings.slots[slot].parts.indices {
      let bound = bindings.slots[slot].parts[part]
      switch bound.state {
      case .loaded:
        continue
      case .waiting:
        // The blob may be here, and only its delivery outstanding: it would come too late now.
        guard let blob = pipeline.arrivedBlob(for: bound.key) else { continue }
        trace?.record(.hit(slot: slot, bound.key, byteCount: blob.byteCount))
        leave(part, of: slot)
        hit(blob, part, of: slot)
        hasMoved = true
      case .idle, .interrupted, .failed:
        start(part, of: slot)
        hasMoved = true
      }
    }
    return hasMoved ? outcome(of: slot) : .unchanged
  }

  /// A part needs its blob: from memory, or by a load.
  func start(_ part: Int, of slot: Int) {
    leave(part, of: slot)
    let key = bindings.slots[slot].parts[part].key
    // Before the first viewport all that is bound counts as visible; later, what is bound outside
    // of it is about to come in.
    let isVisible = viewport == nil || isInOtherStretch(slot)
    let priority = priorities[key] ?? (isVisible ? .visible : .imminent)
    if isSuspended {
      suspend(part, of: slot)
      return
    }
    switch pipeline.ask(key, for: bindings.token(of: part, in: slot), priority: priority) {
    case .hit(let blob):
      hit(blob, part, of: slot)
    case .pending(let progress):
      bindings.withPart(part, of: slot) {
        $0.state = .waiting
        $0.priority = priority
        $0.unshown = .loading(progress)
      }
    case .failed(let failure):
      if case .failed(failure.error) = bindings.slots[slot].parts[part].state { return }
      tally.delivered += 1
      trace?.record(.knownFailure(slot: slot, key, code: failure.error.code.description))
      bindings.withPart(part, of: slot) {
        $0.state = .failed(failure.error)
        $0.unshown = .failed(failure)
      }
    }
  }

  /// A part of a screen that is away gets what is in memory, and waits for the rest.
  private func suspend(_ part: Int, of slot: Int) {
    let key = bindings.slots[slot].parts[part].key
    if let blob = pipeline.arrivedBlob(for: key) {
      trace?.record(.hit(slot: slot, key, byteCount: blob.byteCount))
      hit(blob, part, of: slot)
      return
    }
    // Its cell shows already that it waits.
    if case .interrupted = bindings.slots[slot].parts[part].state { return }
    let progress = pipeline.progress(of: key)
    bindings.withPart(part, of: slot) {
      $0.state = .interrupted
      $0.unshown = .loading(progress)
    }
  }

  /// Withdraws what was asked for a part, if anything; its mail is stale from here.
  private func leave(_ part: Int, of slot: Int) {
    let bound = bindings.slots[slot].parts[part]
    if bound.isAsking { pipeline.leave(bound.key, by: bindings.token(of: part, in: slot)) }
    bindings.advance(part, of: slot)
  }

  private func hit(_ blob: LoadedBlob, _ part: Int, of slot: Int) {
    tally.delivered += 1
    bindings.withPart(part, of: slot) {
      $0.state = .loaded
      $0.formerText = nil
      $0.unshown = .loaded(blob)
    }
  }

  /// What a bind came to, all parts taken together.
  private func outcome(of slot: Int) -> BindOutcome {
    var outcome = BindOutcome.hit
    for part in bindings.slots[slot].parts {
      switch part.state {
      case .failed(let error): return .failed(error)
      case .waiting, .interrupted: outcome = .pending
      case .idle, .loaded: continue
      }
    }
    return outcome
  }

  /// Has a cell drop what it shows of its former row, then shows it the new one.
  private func showRow(_ slot: Int, _ era: UInt64, in cell: any SnippetCell) {
    while era == bindings.slots[slot].era, let recipe = bindings.takeOutdated(of: slot) {
      cell.show(.idle, of: recipe)
    }
    guard era == bindings.slots[slot].era else { return }
    let fields = bindings.takeUnshownFields(of: slot)
    if !fields.isEmpty, let row = bindings.slots[slot].row { cell.show(row, changing: fields) }
  }

  /// Shows what was decided for a binding, for as long as the binding holds.
  func showDecisions(_ slot: Int, _ era: UInt64, in cell: any SnippetCell) {
    // A delivery may come from within what a cell is told of its row.
    showRow(slot, era, in: cell)
    var part = 0
    while era == bindings.slots[slot].era, part < bindings.slots[slot].parts.count {
      let key = bindings.slots[slot].parts[part].key
      let state = bindings.withPart(part, of: slot) { part in
        defer { part.unshown = nil }
        if case .loading(let progress) = part.unshown {
          part.shownStandIn = progress.standIn?.key
        }
        return part.unshown
      }
      if let state { cell.show(state, of: key.recipe) }
      part += 1
    }
  }

  private func fail(_ cell: any SnippetCell, _ error: LoadError) -> BindOutcome {
    if let slot = bindings.slot(of: cell) {
      end(slot)
    }
    cell.prepareForReuse()
    cell.show(.failed(LoadFailure(error)), of: .original)
    settleIfPossible()
    return .failed(error)
  }

  /// Ends the bindings of cells that are gone.
  func closeSlotsOfGoneCells() {
    for slot in bindings.openSlots where bindings.slots[slot].cell == nil {
      end(slot)
    }
    bindings.noteSweep()
  }

  private func openSlot(for cell: any SnippetCell) -> Int {
    if let slot = bindings.slot(of: cell) { return slot }
    if let stale = bindings.staleSlot(at: cell) {
      end(stale)
    }
    // A list whose viewport never moves may throw its cells away all the same.
    if bindings.isSweepDue { closeSlotsOfGoneCells() }
    return bindings.open(for: cell)
  }
}
