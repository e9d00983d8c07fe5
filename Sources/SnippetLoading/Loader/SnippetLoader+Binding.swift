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
    // As a rule the row is here, and nothing else is to be done for it.
    if !isClosed, let row = rows.rowAtOnce(position) {
      return bind(cell, to: row, at: position)
    }
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
    guard let binding = bindings.binding(of: cell) else { return }
    end(binding)
    settleIfPossible()
  }

  /// The row that a cell is bound to; `nil` when the cell is not bound.
  ///
  /// - Parameter cell: The cell.
  /// - Returns: The newest row that the cell was given.
  public func row(of cell: some SnippetCell) -> SnippetRow? {
    bindings.binding(of: cell)?.row
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
    let binding = openBinding(for: cell)
    // Before it asks: how urgent that is depends on the place.
    if let position { binding.position = position }
    var row = stored
    if let editor {
      row = editor.shown(stored)
      binding.storedApart = row == stored ? nil : stored
    }
    let recipes = rules.wanted(row, .visible)
    var isEmpty = false
    let outcome: BindOutcome
    if binding.isBound(to: row, recipes: recipes, by: graph) {
      binding.update(to: row)
      outcome = proceed(binding)
    } else {
      let formerParts = binding.row?.id == row.id ? binding.parts : []
      release(binding, goingOnTo: row, recipes)
      binding.bind(to: row, recipes: recipes, by: graph)
      outcome = start(binding)
      keepTexts(formerParts, of: binding)
      isEmpty = recipes.isEmpty && !binding.outdated.contains(.original)
    }

    // The cell is the caller's code and may call back into the loader. By now all is decided, and
    // what was decided is shown only if it still holds.
    let era = binding.era
    showRow(binding, era, in: cell)
    if isEmpty, era == binding.era { cell.show(.idle, of: .original) }
    showDecisions(binding, era, in: cell)
    settleIfPossible()
    return outcome
  }

  /// Asks again for the parts of a binding whose loads were cancelled.
  func resume(_ binding: Binding) {
    guard let cell = binding.cell else { return }
    for part in binding.parts.indices {
      guard case .interrupted = binding.parts[part].state else { continue }
      start(part, of: binding)
      // The cell shows already that it waits, but not what has come to stand in since.
      if case .loading(let progress) = binding.parts[part].unshown,
        progress.standIn == nil || progress.standIn?.key == binding.parts[part].shownStandIn
      {
        binding.parts[part].unshown = nil
      }
    }
    showDecisions(binding, binding.era, in: cell)
  }

  /// Ends a binding.
  func end(_ binding: Binding) {
    trace?.record(.unbound(slot: binding.slot))
    release(binding)
    bindings.close(binding)
  }

  /// Ends what goes on for a binding; what was asked for it is stale from here.
  ///
  /// - Parameters:
  ///   - binding: The binding.
  ///   - next: What the cell will show. What that needs as well goes on. The default is nothing.
  ///   - recipes: What the row needs.
  private func release(
    _ binding: Binding,
    goingOnTo next: SnippetRow? = nil,
    _ recipes: [Recipe] = []
  ) {
    let isSame = next != nil && binding.row?.id == next?.id
    for part in binding.parts.indices {
      let key = binding.parts[part].key
      if isSame, let next, recipes.contains(key.recipe), graph.key(of: next, by: key.recipe) == key
      {
        continue
      }
      leave(part, of: binding)
      binding.parts[part].stop()
    }
  }

  // MARK: - Decisions

  /// A cell needs what it is bound to.
  private func start(_ binding: Binding) -> BindOutcome {
    guard !binding.parts.isEmpty else { return .rowOnly }
    proceed(binding)
    return outcome(of: binding)
  }

  /// Has a text stay on screen in its former revision until the new one is here.
  private func keepTexts(_ formerParts: [BoundPart], of binding: Binding) {
    guard !formerParts.isEmpty else { return }
    for part in binding.parts.indices {
      guard case .loading(var progress) = binding.parts[part].unshown, progress.standIn == nil
      else { continue }
      let key = binding.parts[part].key
      let former = formerParts.first { $0.key.recipe == key.recipe }?.key
      guard key.blobID == nil, let former, former.blobID == nil else { continue }
      let text = pipeline.blobInMemory(for: former)
      progress.standIn = text
      binding.parts[part].formerText = text
      binding.parts[part].unshown = .loading(progress)
    }
  }

  /// A cell is bound to what it shows already, or at least in part.
  @discardableResult
  private func proceed(_ binding: Binding) -> BindOutcome {
    var hasMoved = false
    for part in binding.parts.indices {
      switch binding.parts[part].state {
      case .loaded:
        continue
      case .waiting:
        // The blob may be here, and only its delivery outstanding: it would come too late now.
        let key = binding.parts[part].key
        guard let blob = pipeline.arrivedBlob(for: key) else { continue }
        trace?.record(.hit(slot: binding.slot, key, byteCount: blob.byteCount))
        leave(part, of: binding)
        hit(blob, part, of: binding)
        hasMoved = true
      case .idle, .interrupted, .failed:
        start(part, of: binding)
        hasMoved = true
      }
    }
    return hasMoved ? outcome(of: binding) : .unchanged
  }

  /// A part needs its blob: from memory, or by a load.
  func start(_ part: Int, of binding: Binding) {
    // Nothing was asked for a part that begins.
    if !binding.parts[part].isIdle { leave(part, of: binding) }
    let key = binding.parts[part].key
    // Before the first viewport all that is bound counts as visible; later, what is bound outside
    // of it is about to come in.
    let isVisible = viewport == nil || isInOtherStretch(binding)
    let priority = priorities[key] ?? (isVisible ? .visible : .imminent)
    if isSuspended {
      suspend(part, of: binding)
      return
    }
    switch pipeline.ask(key, for: binding.token(of: part), priority: priority) {
    case .hit(let blob):
      hit(blob, part, of: binding)
    case .pending(let progress):
      binding.parts[part].priority = priority
      binding.parts[part].wait(progress)
    case .failed(let failure):
      if case .failed(failure.error) = binding.parts[part].state { return }
      tally.delivered += 1
      trace?.record(
        .knownFailure(slot: binding.slot, key, code: failure.error.code.description),
        error: failure.error
      )
      binding.parts[part].fail(failure)
    }
  }

  /// A part of a screen that is away gets what is in memory, and waits for the rest.
  private func suspend(_ part: Int, of binding: Binding) {
    let key = binding.parts[part].key
    if let blob = pipeline.arrivedBlob(for: key) {
      trace?.record(.hit(slot: binding.slot, key, byteCount: blob.byteCount))
      hit(blob, part, of: binding)
      return
    }
    // Its cell shows already that it waits.
    if case .interrupted = binding.parts[part].state { return }
    let progress = pipeline.progress(of: key)
    binding.parts[part].interrupt(showing: progress)
  }

  /// Withdraws what was asked for a part, if anything; its mail is stale from here.
  private func leave(_ part: Int, of binding: Binding) {
    if binding.parts[part].isAsking {
      pipeline.leave(binding.parts[part].key, by: binding.token(of: part))
    }
    binding.advance(part)
  }

  private func hit(_ blob: LoadedBlob, _ part: Int, of binding: Binding) {
    tally.delivered += 1
    binding.parts[part].receive(blob)
  }

  /// What a bind came to, all parts taken together.
  private func outcome(of binding: Binding) -> BindOutcome {
    var outcome = BindOutcome.hit
    for part in binding.parts.indices {
      switch binding.parts[part].state {
      case .failed(let error): return .failed(error)
      case .waiting, .interrupted: outcome = .pending
      case .idle, .loaded: continue
      }
    }
    return outcome
  }

  /// Has a cell drop what it shows of its former row, then shows it the new one.
  private func showRow(_ binding: Binding, _ era: UInt64, in cell: any SnippetCell) {
    while era == binding.era, let recipe = binding.takeOutdated() {
      cell.show(.idle, of: recipe)
    }
    guard era == binding.era else { return }
    let fields = binding.takeUnshownFields()
    if !fields.isEmpty, let row = binding.row { cell.show(row, changing: fields) }
  }

  /// Shows what was decided for a binding, for as long as the binding holds.
  func showDecisions(_ binding: Binding, _ era: UInt64, in cell: any SnippetCell) {
    // A delivery may come from within what a cell is told of its row.
    showRow(binding, era, in: cell)
    var part = 0
    while era == binding.era, part < binding.parts.count {
      let recipe = binding.parts[part].key.recipe
      if let state = binding.takeUnshown(of: part) { cell.show(state, of: recipe) }
      part += 1
    }
  }

  private func fail(_ cell: any SnippetCell, _ error: LoadError) -> BindOutcome {
    if let binding = bindings.binding(of: cell) { end(binding) }
    cell.prepareForReuse()
    cell.show(.failed(LoadFailure(error)), of: .original)
    settleIfPossible()
    return .failed(error)
  }

  /// Ends the bindings of cells that are gone.
  func closeBindingsOfGoneCells() {
    for binding in bindings.open where binding.cell == nil { end(binding) }
    bindings.noteSweep()
  }

  private func openBinding(for cell: any SnippetCell) -> Binding {
    if let binding = bindings.binding(of: cell) { return binding }
    if let stale = bindings.staleBinding(at: cell) { end(stale) }
    // A list whose viewport never moves may throw its cells away all the same.
    if bindings.isSweepDue { closeBindingsOfGoneCells() }
    return bindings.open(for: cell)
  }
}

/// What a bind led to.
public enum BindOutcome: Hashable, Sendable {
  /// Everything the cell needs was in memory, and the cell has it.
  case hit
  /// The cell shows the row. Something that it needs comes later.
  case pending
  /// The cell was bound to this snippet already, and nothing was loaded or reset. It shows the
  /// newest row.
  case unchanged
  /// The cell shows the row, and that is all: the rules want nothing else of the snippet.
  case rowOnly
  /// It failed. A cell has been told; a view of a ``SnippetDataSource`` that no presenter fits shows
  /// nothing.
  case failed(LoadError)
}
