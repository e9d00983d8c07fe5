internal import SnippetStore

/// One place for a cell, and what the cell is bound to.
struct Binding {
  enum State {
    /// There is no binding, or nothing to load for it.
    case idle
    /// The coordinator has been asked for the blob.
    case waiting
    /// The blob is wanted, but all loads were given up; the next movement of the viewport asks.
    case interrupted
    /// The cell has the blob.
    case loaded
    /// The cell shows the failure.
    case failed(LoadError)
  }

  fileprivate(set) weak var cell: (any SnippetCell)?
  fileprivate(set) var cellIdentity: ObjectIdentifier?
  fileprivate(set) var generation: UInt32 = 0
  /// The snippet that the cell shows; `nil` when there is no binding.
  var snippetID: SnippetID?
  var revision: Int64 = 0
  /// The load that the cell is for; `nil` when the row is all there is.
  var key: LoadKey?
  var state = State.idle
  /// The priority that the coordinator was last told.
  var priority = LoadPriority.preload

  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }
}

/// The cells that have been bound and what each is bound to.
///
/// Cells are held weakly. A slot that is closed is used again for another cell; its generation goes
/// on, so that a token of the former cell never fits the next.
struct BindingTable {
  var slots: [Binding] = []
  private var slotByCell: [ObjectIdentifier: Int] = [:]
  private var freeSlots: [Int] = []

  /// The slots of all cells.
  var openSlots: [Int] {
    slots.indices.filter { slots[$0].cellIdentity != nil }
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

  /// Ends a cell's bindings and frees its slot.
  mutating func close(_ slot: Int) {
    guard let identity = slots[slot].cellIdentity else { return }
    slotByCell[identity] = nil
    let generation = slots[slot].generation &+ 1
    slots[slot] = Binding()
    slots[slot].generation = generation
    freeSlots.append(slot)
  }

  /// The token of the binding of a slot.
  func token(of slot: Int) -> BindingToken {
    BindingToken(slot: UInt32(slot), generation: slots[slot].generation)
  }

  /// Moves the generation on: whatever was asked for the slot before is stale from here.
  mutating func advance(_ slot: Int) -> BindingToken {
    slots[slot].generation &+= 1
    return token(of: slot)
  }

  /// Whether a token is that of the slot's present binding.
  func isCurrent(_ token: BindingToken) -> Bool {
    slots[Int(token.slot)].generation == token.generation
  }
}
