internal import SnippetStorage

/// One load of a binding.
///
/// A cell that shows several blobs has one for each.
struct BoundPart {
  enum State {
    /// Nothing has been asked for yet.
    case idle
    /// The pipeline was asked for the blob.
    case waiting
    /// The blob is wanted, but all loads were cancelled; the next movement of the viewport asks
    /// again.
    case interrupted
    /// The cell has the blob.
    case loaded
    /// The cell shows the failure.
    indirect case failed(LoadError)
  }

  let key: LoadKey
  /// Marks the deliveries for this part; no other part that the slot ever had shares its number.
  fileprivate(set) var generation: UInt32
  private(set) var state = State.idle
  /// The run whose result the part got last.
  ///
  /// A result of an older run comes too late.
  var lastRun = LoadID(rawValue: 0)
  /// The former revision of a text, kept on screen until some of the new one is here.
  var formerText: LoadedBlob?
  /// The load whose result the cell shows in place of the blob.
  var shownStandIn: LoadKey?
  /// The state that was decided and that the cell has not shown yet.
  var unshown: LoadState<LoadedBlob>?

  fileprivate init(key: LoadKey, generation: UInt32) {
    self.key = key
    self.generation = generation
  }

  var isIdle: Bool {
    if case .idle = state { true } else { false }
  }

  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  /// Whether the pipeline counts the part among its askers.
  var isAsking: Bool {
    switch state {
    case .waiting, .failed: true
    case .idle, .interrupted, .loaded: false
    }
  }

  /// Notes that the blob is here and has to be shown.
  mutating func receive(_ blob: LoadedBlob) {
    state = .loaded
    formerText = nil
    unshown = .loaded(blob)
  }

  /// Notes that the load failed and that the failure has to be shown.
  mutating func fail(_ error: LoadError) {
    state = .failed(error)
    unshown = .failed(error)
  }

  /// Notes that the pipeline was asked and that the progress has to be shown.
  mutating func wait(_ progress: LoadProgress<LoadedBlob>) {
    state = .waiting
    unshown = .loading(progress)
  }

  /// Notes that all loads were cancelled.
  ///
  /// A cell that was not waiting has to show that it is now.
  mutating func interrupt(showing progress: LoadProgress<LoadedBlob>? = nil) {
    state = .interrupted
    if let progress { unshown = .loading(progress) }
  }

  /// Notes that nothing was asked for and that nothing has to be shown.
  mutating func stop() {
    state = .idle
    unshown = nil
  }
}

/// One place for a cell, with the row the cell is bound to.
///
/// A class, so that a bind changes it in place. Once its cell is gone, it is used again for another
/// one. Its generations go on, so a token of the former cell never fits the next.
final class Binding {
  private let list: ListID
  let slot: Int
  fileprivate(set) weak var cell: (any SnippetCell)?
  fileprivate var cellIdentity: ObjectIdentifier?
  private var lastGeneration: UInt32 = 0
  /// Advances with every bind and unbind.
  private(set) var era: UInt64 = 0
  /// The row that the cell shows; `nil` when it is not bound.
  private(set) var row: SnippetRow?
  /// The row as the list has it, where edits under way change it on screen.
  var storedApart: SnippetRow?
  /// The position of the cell in the host.
  var position: HostPosition?
  var parts: [BoundPart] = []
  /// The recipes of the former row that the cell still shows and has to drop.
  private(set) var outdated: [Recipe] = []
  /// The fields in which the row differs from the one that the cell has shown.
  private var unshownFields: SnippetFields = []

  fileprivate init(list: ListID, slot: Int) {
    self.list = list
    self.slot = slot
  }

  var isWaiting: Bool { parts.contains(where: \.isWaiting) }

  /// The row as the list has it.
  var stored: SnippetRow? { storedApart ?? row }

  /// Whether the cell is bound to the content of a row by exactly these recipes.
  func isBound(to row: SnippetRow, recipes: [Recipe], by graph: RecipeGraph) -> Bool {
    guard self.row?.id == row.id else { return false }
    return parts.elementsEqual(recipes) { $0.key == graph.key(of: row, by: $1) }
  }

  /// Binds the cell to a row, and to the recipes by which it needs the row's content.
  ///
  /// Loads for the same snippet that are still needed go on.
  func bind(to row: SnippetRow, recipes: [Recipe], by graph: RecipeGraph) {
    let isOther = self.row?.id != row.id
    for part in parts
    where (isOther || !recipes.contains(part.key.recipe)) && !outdated.contains(part.key.recipe) {
      outdated.append(part.key.recipe)
    }
    update(to: row)
    era += 1
    let kept = isOther ? [] : parts
    parts.removeAll(keepingCapacity: true)
    for recipe in recipes {
      let key = graph.key(of: row, by: recipe)
      if let part = kept.first(where: { $0.key == key }) {
        parts.append(part)
        continue
      }
      lastGeneration &+= 1
      parts.append(BoundPart(key: key, generation: lastGeneration))
    }
  }

  /// Takes a newer revision of the row.
  func update(to row: SnippetRow) {
    unshownFields.formUnion(SnippetFields(from: self.row, to: row))
    self.row = row
  }

  /// Takes the next recipe that the cell has to drop.
  func takeOutdated() -> Recipe? {
    outdated.isEmpty ? nil : outdated.removeFirst()
  }

  /// Takes the fields of the row that the cell has to show.
  func takeUnshownFields() -> SnippetFields {
    defer { unshownFields = [] }
    return unshownFields
  }

  /// Takes the state of a part that was decided and not shown yet.
  func takeUnshown(of part: Int) -> LoadState<LoadedBlob>? {
    guard let state = parts[part].unshown.take() else { return nil }
    if case .loading(let progress) = state { parts[part].shownStandIn = progress.standIn?.key }
    return state
  }

  // MARK: - Tokens

  /// The token of a part.
  func token(of part: Int) -> BindingToken {
    BindingToken(list: list, slot: UInt32(slot), generation: parts[part].generation)
  }

  /// Advances the generation of a part: everything asked for it before is stale from here.
  func advance(_ part: Int) {
    lastGeneration &+= 1
    parts[part].generation = lastGeneration
  }

  /// The part that a token is for; `nil` when its binding is over.
  func part(for token: BindingToken) -> Int? {
    parts.firstIndex { $0.generation == token.generation }
  }

  // MARK: - Cells

  fileprivate func open(for cell: any SnippetCell) {
    self.cell = cell
    cellIdentity = ObjectIdentifier(cell)
  }

  fileprivate func close() {
    cell = nil
    cellIdentity = nil
    row = nil
    storedApart = nil
    position = nil
    era += 1
    parts.removeAll(keepingCapacity: true)
    outdated.removeAll(keepingCapacity: true)
    unshownFields = []
  }
}

/// The cells that have been bound, each with its binding.
///
/// Cells are held weakly.
struct BindingTable {
  private let list: ListID
  private var slots: [Binding] = []
  private var bindingByCell: [ObjectIdentifier: Binding] = [:]
  private var free: [Binding] = []
  private var nextSweep = 32

  /// Makes a table without cells.
  ///
  /// - Parameter list: The list that the cells are of.
  init(list: ListID) {
    self.list = list
  }

  /// The bindings of all cells, in the order in which their slots were made.
  var open: [Binding] {
    slots.filter { $0.cellIdentity != nil }
  }

  /// The number of bound cells.
  var boundCount: Int {
    slots.count { $0.row != nil && $0.cell != nil }
  }

  /// Whether any cell waits for a load.
  var isWaiting: Bool { slots.contains { $0.isWaiting && $0.cell != nil } }

  /// The place that a token came from, whichever cell has it now.
  func binding(of token: BindingToken) -> Binding { slots[Int(token.slot)] }

  /// The binding of a cell, or `nil` when the cell is not bound.
  func binding(of cell: any SnippetCell) -> Binding? {
    guard let binding = binding(at: cell), binding.cell === cell else { return nil }
    return binding
  }

  /// The binding of the cell at the address of this one: a new cell may have that of one that is
  /// gone.
  func binding(at cell: any SnippetCell) -> Binding? { bindingByCell[ObjectIdentifier(cell)] }

  /// Opens a place for a cell that has none.
  ///
  /// A binding at the same address must be closed first.
  mutating func open(for cell: any SnippetCell) -> Binding {
    let binding = free.popLast() ?? Binding(list: list, slot: slots.count)
    if binding.slot == slots.count { slots.append(binding) }
    binding.open(for: cell)
    bindingByCell[ObjectIdentifier(cell)] = binding
    return binding
  }

  /// Ends a cell's binding and frees its place.
  mutating func close(_ binding: Binding) {
    guard let identity = binding.cellIdentity else { return }
    bindingByCell[identity] = nil
    binding.close()
    free.append(binding)
  }

  /// Whether twice as many bindings are open as after the last sweep.
  ///
  /// Sweeping for cells that are gone then costs each bind a constant on average.
  var isSweepDue: Bool { bindingByCell.count >= nextSweep }

  /// Notes that the bindings of all cells that are gone have been closed.
  mutating func noteSweep() {
    nextSweep = max(32, 2 * bindingByCell.count)
  }
}
