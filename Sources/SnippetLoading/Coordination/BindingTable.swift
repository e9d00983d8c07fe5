internal import SnippetStorage

/// Which of the lists that share their loads; no number is given twice.
struct ListID: Hashable, Sendable {
  let rawValue: UInt32
}

/// One load of one binding of one cell: its list, the place of the cell, and a number that the place
/// never gives twice.
///
/// A delivery carries the token of the part that asked, and reaches the cell only while the cell is
/// still bound with it.
struct BindingToken: Hashable, Sendable {
  var list = ListID(rawValue: 0)
  let slot: UInt32
  let generation: UInt32
}

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
  var state = State.idle
  /// The priority that the pipeline was last told.
  var priority = LoadPriority.preload
  /// The run whose delivery the part had last; an older one that comes later is of no use.
  var lastRun = LoadID(rawValue: 0)
  /// The former revision of a text, on screen until something of the new one is here.
  var formerText: LoadedBlob?
  /// What the cell shows in place of the blob.
  var shownStandIn: LoadKey?
  /// What has been decided but not been shown yet.
  var unshown: LoadState?

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
}

/// One place for a cell, and what the cell is bound to.
struct Binding {
  fileprivate(set) weak var cell: (any SnippetCell)?
  fileprivate(set) var cellIdentity: ObjectIdentifier?
  fileprivate var lastGeneration: UInt32 = 0
  /// Moves on with every bind and unbind.
  fileprivate(set) var era: UInt64 = 0
  /// What the cell shows; `nil` when there is no binding.
  fileprivate(set) var row: SnippetRow?
  /// The row as the list has it, where commands that are under way make another of it.
  fileprivate var storedApart: SnippetRow?
  /// Where the host has its cell.
  var position: Int?
  fileprivate(set) var parts: [BoundPart] = []
  /// What the cell shows of a former row and has not been told to drop yet.
  fileprivate(set) var outdated: [Recipe] = []
  /// The fields in which the row differs from what the cell was told of it.
  fileprivate(set) var unshownFields: SnippetFields = []

  var isWaiting: Bool { parts.contains(where: \.isWaiting) }

  /// The row as the list has it.
  var stored: SnippetRow? { storedApart ?? row }
}

/// The cells that have been bound and what each is bound to.
///
/// Cells are held weakly. A slot that is closed is used again for another cell; its generations go
/// on, so that a token of the former cell never fits the next.
struct BindingTable {
  /// The list that the cells are of.
  var list = ListID(rawValue: 0)
  private(set) var slots: [Binding] = []
  private var slotByCell: [ObjectIdentifier: Int] = [:]
  private var freeSlots: [Int] = []
  private var nextSweep = 32

  /// The slots of all cells.
  var openSlots: [Int] {
    slots.indices.filter { slots[$0].cellIdentity != nil }
  }

  /// How many cells are bound.
  var boundCount: Int {
    slots.count { $0.row != nil && $0.cell != nil }
  }

  /// The slot of a cell, or `nil` when the cell is not bound.
  func slot(of cell: any SnippetCell) -> Int? {
    guard let slot = slotByCell[ObjectIdentifier(cell)] else { return nil }
    // A new cell may be where a former one was in memory.
    return slots[slot].cell === cell ? slot : nil
  }

  /// A slot for a cell that has none; whatever had its address before must have been closed.
  mutating func open(for cell: any SnippetCell) -> Int {
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count { slots.append(Binding()) }
    slots[slot].cell = cell
    slots[slot].cellIdentity = ObjectIdentifier(cell)
    slotByCell[ObjectIdentifier(cell)] = slot
    return slot
  }

  /// The slot whose cell is gone but had the address of this one.
  func staleSlot(at cell: any SnippetCell) -> Int? {
    guard let slot = slotByCell[ObjectIdentifier(cell)], slots[slot].cell !== cell else {
      return nil
    }
    return slot
  }

  /// Whether twice as many slots are open as after the last sweep: so often the cells that are gone
  /// are looked for, which costs each bind a constant on average.
  var isSweepDue: Bool { slotByCell.count >= nextSweep }

  /// Says that the slots of all cells that are gone have been closed.
  mutating func noteSweep() {
    nextSweep = max(32, 2 * slotByCell.count)
  }

  /// Ends a cell's bindings and frees its slot.
  mutating func close(_ slot: Int) {
    guard let identity = slots[slot].cellIdentity else { return }
    slotByCell[identity] = nil
    slots[slot].cell = nil
    slots[slot].cellIdentity = nil
    slots[slot].row = nil
    slots[slot].storedApart = nil
    slots[slot].position = nil
    slots[slot].era += 1
    slots[slot].parts.removeAll(keepingCapacity: true)
    slots[slot].outdated.removeAll(keepingCapacity: true)
    slots[slot].unshownFields = []
    freeSlots.append(slot)
  }

  // MARK: - Bindings

  /// Binds a slot to a row whose content is needed by some recipes.
  ///
  /// What it needs of the same snippet as before goes on.
  mutating func bind(
    _ slot: Int,
    to row: SnippetRow,
    recipes: [Recipe],
    by graph: RecipeGraph
  ) {
    let isOther = slots[slot].row?.id != row.id
    for part in slots[slot].parts
    where (isOther || !recipes.contains(part.key.recipe))
      && !slots[slot].outdated.contains(part.key.recipe)
    {
      slots[slot].outdated.append(part.key.recipe)
    }
    update(slot, to: row)
    slots[slot].era += 1
    let kept = isOther ? [] : slots[slot].parts
    slots[slot].parts.removeAll(keepingCapacity: true)
    for recipe in recipes {
      let key = graph.key(of: row, by: recipe)
      if let part = kept.first(where: { $0.key == key }) {
        slots[slot].parts.append(part)
        continue
      }
      slots[slot].lastGeneration &+= 1
      slots[slot].parts.append(
        BoundPart(
          key: key,
          generation: slots[slot].lastGeneration
        )
      )
    }
  }

  /// Notes a newer revision of the row that a slot is bound to.
  mutating func update(_ slot: Int, to row: SnippetRow) {
    slots[slot].unshownFields.formUnion(SnippetFields(from: slots[slot].row, to: row))
    slots[slot].row = row
  }

  /// Takes the next of what a cell has to drop.
  mutating func takeOutdated(of slot: Int) -> Recipe? {
    slots[slot].outdated.isEmpty ? nil : slots[slot].outdated.removeFirst()
  }

  /// Takes the fields of its row that a cell has to be told of.
  mutating func takeUnshownFields(of slot: Int) -> SnippetFields {
    defer { slots[slot].unshownFields = [] }
    return slots[slot].unshownFields
  }

  /// Whether a slot is bound to the content of a row by just these recipes.
  func isBound(
    _ slot: Int,
    to row: SnippetRow,
    recipes: [Recipe],
    by graph: RecipeGraph
  ) -> Bool {
    guard slots[slot].row?.id == row.id else { return false }
    return slots[slot].parts.elementsEqual(recipes) { $0.key == graph.key(of: row, by: $1) }
  }

  // MARK: - Parts

  /// Notes the row of a slot as the list has it; `nil` when the cell shows just that.
  mutating func keep(_ stored: SnippetRow?, of slot: Int) { slots[slot].storedApart = stored }

  /// Notes where the host has a cell.
  mutating func place(_ slot: Int, at position: Int) { slots[slot].position = position }

  /// Changes a part in its place.
  mutating func withPart<Result>(
    _ part: Int,
    of slot: Int,
    _ body: (inout BoundPart) -> Result
  ) -> Result {
    body(&slots[slot].parts[part])
  }

  /// The token of a part.
  func token(of part: Int, in slot: Int) -> BindingToken {
    BindingToken(list: list, slot: UInt32(slot), generation: slots[slot].parts[part].generation)
  }

  /// Moves the generation of a part on: whatever was asked for it before is stale from here.
  mutating func advance(_ part: Int, of slot: Int) {
    slots[slot].lastGeneration &+= 1
    slots[slot].parts[part].generation = slots[slot].lastGeneration
  }

  /// The part that a token is for; `nil` when its binding is over.
  func part(for token: BindingToken) -> Int? {
    slots[Int(token.slot)].parts.firstIndex { $0.generation == token.generation }
  }
}
