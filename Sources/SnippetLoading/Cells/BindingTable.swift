internal import SnippetStorage

/// One load of a binding: a cell that shows several has one for each.
struct BoundPart {
  enum State {
    /// Nothing has been asked for yet.
    case idle
    /// The pipeline has been asked for the blob.
    case waiting
    /// The blob is wanted, but all loads were cancelled; the next movement of the viewport asks.
    case interrupted
    /// The cell has the blob.
    case loaded
    /// The cell shows the failure.
    indirect case failed(LoadError)
  }

  let key: LoadKey
  /// What tells its deliveries from those of every other part that the slot ever had.
  fileprivate(set) var generation: UInt32
  private(set) var state = State.idle
  /// The run whose delivery the part had last; an older one that comes later is of no use.
  var lastRun = LoadID(rawValue: 0)
  /// The former revision of a text, on screen until something of the new one is here.
  var formerText: LoadedBlob?
  /// What the cell shows in place of the blob.
  var shownStandIn: LoadKey?
  /// What has been decided but not been shown yet.
  var unshown: LoadState?

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

  /// Whether the pipeline counts the part among those who ask.
  var isAsking: Bool {
    switch state {
    case .waiting, .failed: true
    case .idle, .interrupted, .loaded: false
    }
  }

  /// The blob is here, and is to be shown.
  mutating func receive(_ blob: LoadedBlob) {
    state = .loaded
    formerText = nil
    unshown = .loaded(blob)
  }

  /// The load has failed, which is to be shown.
  mutating func fail(_ failure: LoadFailure) {
    state = .failed(failure.error)
    unshown = .failed(failure)
  }

  /// The pipeline has been asked, and how far the load is is to be shown.
  mutating func wait(_ progress: LoadProgress) {
    state = .waiting
    unshown = .loading(progress)
  }

  /// All loads were cancelled; a cell that did not wait before is to be shown that it does.
  mutating func interrupt(showing progress: LoadProgress? = nil) {
    state = .interrupted
    if let progress { unshown = .loading(progress) }
  }

  /// Nothing has been asked for, and nothing is to be shown.
  mutating func stop() {
    state = .idle
    unshown = nil
  }
}

/// One place for a cell, and what the cell is bound to.
///
/// An object, so that a bind reads and changes it in place. It is used again for another cell once
/// its own is gone; its generations go on, so that a token of the former cell never fits the next.
final class Binding {
  private let list: ListID
  let slot: Int
  fileprivate(set) weak var cell: (any SnippetCell)?
  fileprivate var cellIdentity: ObjectIdentifier?
  private var lastGeneration: UInt32 = 0
  /// Moves on with every bind and unbind.
  private(set) var era: UInt64 = 0
  /// What the cell shows; `nil` when there is no binding.
  private(set) var row: SnippetRow?
  /// The row as the list has it, where edits that are under way make another of it.
  var storedApart: SnippetRow?
  /// Where the host has its cell.
  var position: HostPosition?
  var parts: [BoundPart] = []
  /// What the cell shows of a former row and has not been told to drop yet.
  private(set) var outdated: [Recipe] = []
  /// The fields in which the row differs from what the cell was told of it.
  private var unshownFields: SnippetFields = []

  fileprivate init(list: ListID, slot: Int) {
    self.list = list
    self.slot = slot
  }

  var isWaiting: Bool { parts.contains(where: \.isWaiting) }

  /// The row as the list has it.
  var stored: SnippetRow? { storedApart ?? row }

  /// Whether the cell is bound to the content of a row by just these recipes.
  func isBound(to row: SnippetRow, recipes: [Recipe], by graph: RecipeGraph) -> Bool {
    guard self.row?.id == row.id else { return false }
    return parts.elementsEqual(recipes) { $0.key == graph.key(of: row, by: $1) }
  }

  /// Binds the cell to a row whose content is needed by some recipes.
  ///
  /// What it needs of the same snippet as before goes on.
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

  /// Notes a newer revision of the row.
  func update(to row: SnippetRow) {
    unshownFields.formUnion(SnippetFields(from: self.row, to: row))
    self.row = row
  }

  /// Takes the next of what the cell has to drop.
  func takeOutdated() -> Recipe? {
    outdated.isEmpty ? nil : outdated.removeFirst()
  }

  /// Takes the fields of its row that the cell has to be told of.
  func takeUnshownFields() -> SnippetFields {
    defer { unshownFields = [] }
    return unshownFields
  }

  /// Takes what has been decided for a part and not been shown yet.
  func takeUnshown(of part: Int) -> LoadState? {
    guard let state = parts[part].unshown.take() else { return nil }
    if case .loading(let progress) = state { parts[part].shownStandIn = progress.standIn?.key }
    return state
  }

  // MARK: - Tokens

  /// The token of a part.
  func token(of part: Int) -> BindingToken {
    BindingToken(list: list, slot: UInt32(slot), generation: parts[part].generation)
  }

  /// Moves the generation of a part on: whatever was asked for it before is stale from here.
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

/// The cells that have been bound and what each is bound to.
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

  /// Those of all cells, in the order in which their slots came to be.
  var open: [Binding] {
    slots.filter { $0.cellIdentity != nil }
  }

  /// How many cells are bound.
  var boundCount: Int {
    slots.count { $0.row != nil && $0.cell != nil }
  }

  /// Whether a cell waits for something.
  var isWaiting: Bool { slots.contains { $0.isWaiting && $0.cell != nil } }

  /// The place that a token came from, whoever has it now.
  func binding(of token: BindingToken) -> Binding { slots[Int(token.slot)] }

  /// The binding of a cell, or `nil` when the cell is not bound.
  func binding(of cell: any SnippetCell) -> Binding? {
    guard let binding = bindingByCell[ObjectIdentifier(cell)] else { return nil }
    // A new cell may be where a former one was in memory.
    return binding.cell === cell ? binding : nil
  }

  /// The binding whose cell is gone but had the address of this one.
  func staleBinding(at cell: any SnippetCell) -> Binding? {
    guard let binding = bindingByCell[ObjectIdentifier(cell)], binding.cell !== cell else {
      return nil
    }
    return binding
  }

  /// A place for a cell that has none; whatever had its address before must have been closed.
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

  /// Whether twice as many are open as after the last sweep: so often the cells that are gone are
  /// looked for, which costs each bind a constant on average.
  var isSweepDue: Bool { bindingByCell.count >= nextSweep }

  /// Says that the bindings of all cells that are gone have been closed.
  mutating func noteSweep() {
    nextSweep = max(32, 2 * bindingByCell.count)
  }
}
