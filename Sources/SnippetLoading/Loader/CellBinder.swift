internal import SnippetStorage

/// Binds cells to rows: shows them their rows and asks for the loads that they need.
@MainActor
final class CellBinder {
  let rules: RecipeRules
  let graph: RecipeGraph
  /// Applies unsaved edits to the rows; `nil` shows the rows as they are.
  var editor: SnippetEditor?
  /// The number of results given to a cell.
  var deliveredCount = 0
  /// The deliveries dropped because the binding that asked has ended.
  var staleDrops = LoaderCounters.StaleDrops()
  /// The number of deliveries for another blob than the cell's.
  var wrongDeliveryCount = 0
  private(set) var bindings: BindingTable
  /// The new rows that bound cells have yet to show.
  var newRows = NewRows()
  let pipeline: LoadPipeline
  let screen: ListScreen
  let trace: LoaderEventRecorder?

  /// Makes a binder without cells.
  init(
    _ rules: RecipeRules,
    _ graph: RecipeGraph,
    list: ListID,
    _ pipeline: LoadPipeline,
    _ screen: ListScreen,
    _ trace: LoaderEventRecorder?
  ) {
    self.rules = rules
    self.graph = graph
    self.pipeline = pipeline
    self.screen = screen
    self.trace = trace
    bindings = BindingTable(list: list)
  }

  // MARK: - Cells

  /// Lets a cell show a row.
  func bind(
    _ cell: any SnippetCell,
    to row: SnippetRow,
    at position: HostPosition
  ) -> BindOutcome {
    noting(present(row, in: cell, at: position), of: cell, to: position)
  }

  /// Lets a cell show that there is no row for it.
  func bind(
    _ cell: any SnippetCell,
    toMissing position: HostPosition,
    _ error: LoadError
  ) -> BindOutcome {
    noting(fail(cell, error), of: cell, to: position)
  }

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
    // Before it asks: the priority depends on the position.
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
    if screen.isSuspended {
      suspend(part, of: binding)
      return
    }
    let priority = screen.priority(of: key, boundAt: binding.position)
    switch pipeline.ask(key, for: binding.token(of: part), priority: priority) {
    case .hit(let blob):
      hit(blob, part, of: binding)
    case .pending(let progress):
      binding.parts[part].wait(progress)
    case .failed(let failure):
      if case .failed(failure.error) = binding.parts[part].state { return }
      deliveredCount += 1
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
    deliveredCount += 1
    binding.parts[part].receive(blob)
  }

  /// The outcome of a bind, all parts taken together.
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
    // A cell may cause a delivery while it shows its row.
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

  // MARK: - All cells

  /// Has the loads of all cells cancelled; the next movement asks for them again.
  func interrupt() {
    for binding in bindings.open {
      for part in binding.parts.indices where binding.parts[part].isWaiting {
        binding.advance(part)
        binding.parts[part].interrupt()
      }
    }
  }

  /// Tells the pipeline how urgent loads are now, and asks again for what was cancelled.
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

  /// Asks again for what was cancelled.
  func resume() {
    for binding in bindings.open { resume(binding) }
  }

  /// Begins again with some parts of a binding.
  func restart(_ binding: Binding, where isConcerned: (BoundPart) -> Bool = { _ in true }) {
    guard let cell = binding.cell else { return }
    for part in binding.parts.indices where isConcerned(binding.parts[part]) {
      start(part, of: binding)
    }
    showDecisions(binding, binding.era, in: cell)
  }

  /// Tries again at once what a binding failed to get, or waits to retry.
  func retry(_ binding: Binding) {
    for part in binding.parts where part.isAsking { pipeline.retry(part.key) }
    restart(binding) { part in
      if case .failed = part.state { true } else { false }
    }
  }

  /// Records what a bind came to, and passes that on.
  private func noting(
    _ outcome: BindOutcome,
    of cell: any SnippetCell,
    to position: HostPosition
  ) -> BindOutcome {
    guard let trace else { return outcome }
    let binding = bindings.binding(of: cell)
    trace.record(
      .bound(
        slot: binding?.slot,
        binding?.row?.id,
        position: position.rawValue,
        outcome.name
      )
    )
    return outcome
  }
}
