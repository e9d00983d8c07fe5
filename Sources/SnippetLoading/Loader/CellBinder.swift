internal import SnippetStorage

/// Binds cells to rows: shows them their rows and asks for the loads that they need.
@MainActor
final class CellBinder {
  let rules: RecipeRules
  let graph: RecipeGraph
  /// Applies unsaved edits to the rows; `nil` shows the rows as they are.
  var editor: SnippetEditor?
  /// The number of results given to cells.
  var deliveredCount = 0
  /// The number of deliveries dropped because the binding that asked has ended.
  var staleDropCount = 0
  /// The number of deliveries for a blob that the cell does not show.
  var wrongDeliveryCount = 0
  private(set) var bindings: BindingTable
  /// The new rows that bound cells have yet to show.
  var newRows = NewRows()
  let pipeline: LoadPipeline
  let screen: ListScreen

  /// Makes a binder without cells.
  init(
    _ rules: RecipeRules,
    _ graph: RecipeGraph,
    list: ListID,
    _ pipeline: LoadPipeline,
    _ screen: ListScreen
  ) {
    self.rules = rules
    self.graph = graph
    self.pipeline = pipeline
    self.screen = screen
    bindings = BindingTable(list: list)
  }

  // MARK: - Cells

  /// Ends the binding of a cell.
  func unbind(_ cell: any SnippetCell) {
    if let binding = bindings.binding(of: cell) { end(binding) }
  }

  /// Unbinds all cells at once; the caller ends their loads.
  func close() {
    for binding in bindings.open { bindings.close(binding) }
  }

  /// Shows a row in a cell, with unsaved edits, and asks for its loads.
  func present(
    _ stored: SnippetRow,
    in cell: any SnippetCell,
    at position: HostPosition? = nil
  ) -> BindOutcome {
    let binding = openBinding(for: cell)
    // Before loads are asked for: their priority depends on the position.
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

    // The cell is the caller's code and may call back into the loader. Everything is decided by
    // now, and each decision is shown only if it still holds.
    let era = binding.era
    showRow(binding, era, in: cell)
    if isEmpty, era == binding.era { cell.show(.idle, of: .original) }
    showDecisions(binding, era, in: cell)
    return outcome
  }

  /// Asks again for the parts of a binding whose loads were cancelled.
  func resume(_ binding: Binding) {
    guard let cell = binding.cell else { return }
    for part in binding.parts.indices {
      guard case .interrupted = binding.parts[part].state else { continue }
      start(part, of: binding)
      // The cell already shows that it waits, but not the stand-in that has arrived since.
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
    release(binding)
    bindings.close(binding)
  }

  /// Ends the loads of a binding, except those that the row that the cell shows next needs too;
  /// everything else asked for it is stale from here.
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

  /// Asks for everything that a newly bound cell needs.
  private func start(_ binding: Binding) -> BindOutcome {
    guard !binding.parts.isEmpty else { return .rowOnly }
    proceed(binding)
    return outcome(of: binding)
  }

  /// Keeps the former revision of a text on screen until the new one is here.
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

  /// Continues with a cell that already shows some or all of its row.
  @discardableResult
  private func proceed(_ binding: Binding) -> BindOutcome {
    var hasMoved = false
    for part in binding.parts.indices {
      switch binding.parts[part].state {
      case .loaded:
        continue
      case .waiting:
        // The blob may be in memory with its delivery outstanding, which would come too late.
        let key = binding.parts[part].key
        guard let blob = pipeline.arrivedBlob(for: key) else { continue }
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

  /// Gets the blob of a part from memory or by a load.
  func start(_ part: Int, of binding: Binding) {
    // A new part has asked for nothing yet.
    if !binding.parts[part].isIdle { leave(part, of: binding) }
    let key = binding.parts[part].key
    if screen.isSuspended {
      suspend(part, of: binding)
      return
    }
    let priority = screen.priority(of: key, boundAt: binding.position)
    switch pipeline.ask(key, for: binding.token(of: part), priority: priority) {
    case .hit(let blob):
      hit(blob, part, of: binding)
    case .pending(let progress):
      report(.pending(slot: binding.slot, key))
      binding.parts[part].wait(progress)
    case .failed(let error):
      if case .failed(error) = binding.parts[part].state { return }
      deliveredCount += 1
      report(.knownFailure(slot: binding.slot, key, error.code))
      binding.parts[part].fail(error)
    }
  }

  /// Gives a part of a suspended screen what is in memory, and lets it wait for the rest.
  private func suspend(_ part: Int, of binding: Binding) {
    let key = binding.parts[part].key
    if let blob = pipeline.arrivedBlob(for: key) {
      hit(blob, part, of: binding)
      return
    }
    // Its cell already shows that it waits.
    if case .interrupted = binding.parts[part].state { return }
    let progress = pipeline.progress(of: key)
    binding.parts[part].interrupt(showing: progress)
  }

  /// Withdraws the request of a part, if it made one; its mail is stale from here.
  private func leave(_ part: Int, of binding: Binding) {
    if binding.parts[part].isAsking {
      pipeline.leave(binding.parts[part].key, by: binding.token(of: part))
    }
    binding.advance(part)
  }

  private func hit(_ blob: LoadedBlob, _ part: Int, of binding: Binding) {
    deliveredCount += 1
    report(.hit(slot: binding.slot, blob.key))
    binding.parts[part].receive(blob)
  }

  /// Tells a test of a step.
  func report(_ event: @autoclosure () -> LoaderEvent) {
    pipeline.environment.onEvent?(event())
  }

  /// The outcome of a bind, over all parts.
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

  /// Tells a cell to drop the content of its former row, then shows it the new one.
  private func showRow(_ binding: Binding, _ era: UInt64, in cell: any SnippetCell) {
    while era == binding.era, let recipe = binding.takeOutdated() {
      cell.show(.idle, of: recipe)
    }
    guard era == binding.era else { return }
    let fields = binding.takeUnshownFields()
    if !fields.isEmpty, let row = binding.row { cell.show(row, changing: fields) }
  }

  /// Shows the decisions for a binding, as long as the binding holds.
  func showDecisions(_ binding: Binding, _ era: UInt64, in cell: any SnippetCell) {
    // A cell may cause a delivery while it shows its row.
    showRow(binding, era, in: cell)
    var part = 0
    while era == binding.era, part < binding.parts.count {
      let recipe = binding.parts[part].key.recipe
      if let state = binding.takeUnshown(of: part) { cell.show(state, of: recipe) }
      part += 1
    }
  }

  /// Lets a cell show that it has no row.
  func fail(_ cell: any SnippetCell, _ error: LoadError) -> BindOutcome {
    if let binding = bindings.binding(of: cell) { end(binding) }
    cell.prepareForReuse()
    cell.show(.failed(error), of: .original)
    return .failed(error)
  }

  /// Ends the bindings of cells that are gone.
  func closeBindingsOfGoneCells() {
    for binding in bindings.open where binding.cell == nil { end(binding) }
    bindings.noteSweep()
  }

  private func openBinding(for cell: any SnippetCell) -> Binding {
    if let binding = bindings.binding(at: cell) {
      if binding.cell === cell { return binding }
      end(binding)
    }
    // A list whose viewport never moves may still throw its cells away.
    if bindings.isSweepDue { closeBindingsOfGoneCells() }
    return bindings.open(for: cell)
  }

  // MARK: - All cells

  /// Cancels the loads of all cells; the next movement asks for them again.
  func interrupt() {
    for binding in bindings.open {
      for part in binding.parts.indices where binding.parts[part].isWaiting {
        binding.advance(part)
        binding.parts[part].interrupt()
      }
    }
  }

  /// Tells the pipeline how urgent loads are now, and asks again for cancelled ones.
  func follow() {
    closeBindingsOfGoneCells()
    var asks: [LoadAsk] = []
    var interrupted: [Binding] = []
    for binding in bindings.open {
      for part in binding.parts.indices {
        let bound = binding.parts[part]
        if case .interrupted = bound.state, interrupted.last !== binding {
          interrupted.append(binding)
        }
        guard bound.isAsking else { continue }
        let priority = screen.priority(of: bound.key)
        asks.append(LoadAsk(key: bound.key, token: binding.token(of: part), priority: priority))
      }
    }
    pipeline.setPriorities(asks)
    for binding in interrupted { resume(binding) }
  }

  /// Asks again for cancelled loads.
  func resume() {
    for binding in bindings.open { resume(binding) }
  }

  /// Starts some parts of a binding anew.
  func restart(_ binding: Binding, where isConcerned: (BoundPart) -> Bool = { _ in true }) {
    guard let cell = binding.cell else { return }
    for part in binding.parts.indices where isConcerned(binding.parts[part]) {
      start(part, of: binding)
    }
    showDecisions(binding, binding.era, in: cell)
  }

  /// Retries at once the parts of a binding that failed or wait to retry.
  func retry(_ binding: Binding) {
    for part in binding.parts where part.isAsking { pipeline.retry(part.key) }
    restart(binding) { part in
      if case .failed = part.state { true } else { false }
    }
  }
}
