/// The identity of one run of a load; a load that is started again gets another.
struct LoadID: Hashable, Comparable, Sendable {
  let rawValue: UInt64

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A load to be started now.
struct LoadStart: Hashable, Sendable {
  let id: LoadID
  let key: LoadKey
  /// What it is made from; `nil` when it comes from the source.
  let input: LoadedBlob?
  var lane = LoadLane.worker
}

/// A load that the viewport asks for.
struct DesiredLoad: Hashable, Sendable {
  let key: LoadKey
  let priority: LoadPriority
  /// The memory that it is expected to take in the cache, in bytes.
  var cost = 0
  /// Whether it comes before what is visible of its list, because that would be late.
  var isMet = false
}

/// How urgent a load is to a binding that has asked for it.
struct LoadAsk: Hashable, Sendable {
  let key: LoadKey
  let token: BindingToken
  let priority: LoadPriority
}

/// One load in the table: how far it is, and who asks for it.
struct LoadEntry: Sendable {
  enum Phase: Hashable, Sendable {
    /// Nobody has asked yet.
    case new
    /// Waits for what it is made from.
    case waiting(input: LoadKey)
    /// Waits for a worker; within a priority the lower sequence is first.
    case queued(sequence: UInt64)
    /// A worker has it.
    case running(LoadID)
    /// A worker has it and has been told to stop.
    case stopping(LoadID)
    /// An attempt failed, and another follows in a while.
    case delayed(LoadFailure)
    /// It failed for good, or its bytes could not be kept.
    case ended(LoadFailure?)
  }

  struct Ask: Hashable, Sendable {
    let token: BindingToken
    var priority: LoadPriority
  }

  var phase = Phase.new
  /// What the viewports ask for; `nil` when none asks.
  var viewportPriority: LoadPriority?
  /// The reconciliation in which a viewport last asked.
  var viewportRound: UInt64 = 0
  /// The bindings that ask, in the order in which they came.
  private(set) var bindings: [Ask] = []
  /// The loads that are made from this one and wait for it.
  private(set) var derived: [LoadKey] = []
  /// What it is made from, once that is here.
  var input: LoadedBlob?
  /// How far it is; the failure in it is not kept up.
  var progress = LoadProgress()
  /// Whether word of its progress is on the way to those who ask.
  var isProgressMailed = false
  /// How many attempts were made.
  var attemptCount = 0
  /// Whether it must not go on although it was started.
  var isAbandoned = false

  var isAskedFor: Bool { viewportPriority != nil || !bindings.isEmpty || !derived.isEmpty }

  var tokens: [BindingToken] { bindings.map(\.token) }

  /// The highest priority of the bindings and the viewport; `nil` when neither asks.
  var ownPriority: LoadPriority? {
    var highest = viewportPriority
    for ask in bindings where highest.map({ $0 < ask.priority }) ?? true {
      highest = ask.priority
    }
    return highest
  }

  /// The priority that a binding asked for; `nil` when it does not ask.
  func priority(for token: BindingToken) -> LoadPriority? {
    bindings.first { $0.token == token }?.priority
  }

  mutating func join(_ token: BindingToken, priority: LoadPriority) {
    isAbandoned = false
    if let index = bindings.firstIndex(where: { $0.token == token }) {
      bindings[index].priority = priority
    } else {
      bindings.append(Ask(token: token, priority: priority))
    }
  }

  mutating func join(_ key: LoadKey) {
    isAbandoned = false
    if !derived.contains(key) { derived.append(key) }
  }

  /// Lets a binding go.
  ///
  /// - Returns: Whether it asked.
  mutating func leave(_ token: BindingToken) -> Bool {
    guard let index = bindings.firstIndex(where: { $0.token == token }) else { return false }
    bindings.remove(at: index)
    return true
  }

  /// Lets all bindings of a list go.
  mutating func leave(_ list: ListID) {
    bindings.removeAll { $0.token.list == list }
  }

  mutating func leave(_ key: LoadKey) {
    derived.removeAll { $0 == key }
  }

  mutating func leaveBindings() {
    bindings = []
  }

  mutating func leaveDerived() {
    derived = []
  }

  mutating func leaveAll() {
    viewportPriority = nil
    bindings = []
    derived = []
    isAbandoned = true
  }
}

/// How urgent a load is; the highest of those who ask decides.
enum LoadPriority: UInt8, Comparable, CaseIterable, Sendable {
  /// May be needed if the movement goes on.
  case preload
  /// Is about to be on screen.
  case imminent
  /// Is on screen.
  case visible

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

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
