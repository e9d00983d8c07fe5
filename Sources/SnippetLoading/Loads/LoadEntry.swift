/// The identity of one run of a load; a load that is started again gets a new one.
struct LoadID: Hashable, Comparable, Sendable {
  let rawValue: UInt64

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A load to be started now.
struct LoadStart: Hashable, Sendable {
  let id: LoadID
  let key: LoadKey
  /// The blob that it is made from; `nil` when it comes from the source.
  let input: LoadedBlob?
  var lane = LoadLane.worker
}

/// A load that the viewport asks for.
struct DesiredLoad: Hashable, Sendable {
  let key: LoadKey
  let priority: LoadPriority
  /// The memory that it will probably take in the cache, in bytes.
  var cost = 0
  /// Whether it comes before the visible rows of its list, because it would otherwise be late.
  var isMet = false
}

/// The urgency of a load for a binding that has asked for it.
struct LoadAsk: Hashable, Sendable {
  let key: LoadKey
  let token: BindingToken
  let priority: LoadPriority
}

/// One load in the table: its progress, and who asks for it.
struct LoadEntry: Sendable {
  enum Phase: Hashable, Sendable {
    /// Not asked for yet.
    case new
    /// Waits for the blob that it is made from.
    case waiting(input: LoadKey)
    /// Waits for a worker; within a priority, lower sequences go first.
    case queued(sequence: UInt64)
    /// A worker has it.
    case running(LoadID)
    /// A worker has it and has been asked to stop.
    case stopping(LoadID)
    /// An attempt failed, and another follows later.
    case delayed(LoadFailure)
    /// The load failed for good, or its bytes could not be kept.
    case ended(LoadError?)
  }

  struct Ask: Hashable, Sendable {
    let token: BindingToken
    var priority: LoadPriority
  }

  var phase = Phase.new
  /// The priority for the viewports; `nil` when none asks.
  var viewportPriority: LoadPriority?
  /// The reconciliation in which a viewport last asked.
  var viewportRound: UInt64 = 0
  /// The bindings that ask, in the order in which they asked.
  var bindings: [Ask] = []
  /// The loads that are made from this one and wait for it.
  var derived: [LoadKey] = []
  /// The blob that it is made from, once that is here.
  var input: LoadedBlob?
  /// The progress; its error is not kept up to date.
  var progress = LoadProgress<LoadedBlob>()
  /// Whether news of its progress is on the way to those who ask.
  var isProgressMailed = false
  /// The number of attempts made.
  var attemptCount = 0
  /// Whether it must stop although it was started.
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

  /// Removes a binding.
  ///
  /// - Returns: Whether the binding asked for the load.
  mutating func leave(_ token: BindingToken) -> Bool {
    guard let index = bindings.firstIndex(where: { $0.token == token }) else { return false }
    bindings.remove(at: index)
    return true
  }

  /// Removes all bindings of a list.
  mutating func leave(_ list: ListID) {
    bindings.removeAll { $0.token.list == list }
  }

  mutating func leave(_ key: LoadKey) {
    derived.removeAll { $0 == key }
  }

  mutating func leaveAll() {
    viewportPriority = nil
    bindings = []
    derived = []
    isAbandoned = true
  }
}

/// The urgency of a load; the most urgent request decides.
enum LoadPriority: UInt8, Comparable, CaseIterable, Sendable {
  /// The row may come on screen if the movement goes on.
  case preload
  /// The row is about to come on screen.
  case imminent
  /// Is on screen.
  case visible

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The number of a list that shares its loads with others; no number is given twice.
struct ListID: Hashable, Sendable {
  let rawValue: UInt32
}

/// Identifies one load of one binding of one cell: its list, the place of the cell, and a number
/// that the place never gives twice.
///
/// A delivery carries the token of the part that asked for it, and reaches the cell only while the
/// cell is still bound with that token.
struct BindingToken: Hashable, Sendable {
  var list = ListID(rawValue: 0)
  let slot: UInt32
  let generation: UInt32
}
