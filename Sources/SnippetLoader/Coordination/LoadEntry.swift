/// The identity of one run of a load; a load that is started again gets another.
struct LoadID: Hashable, Sendable {
  let rawValue: UInt64
}

/// A load to be started now.
struct LoadStart: Hashable, Sendable {
  let id: LoadID
  let key: LoadKey
}

/// A load that the viewport asks for.
struct DesiredLoad: Hashable, Sendable {
  let key: LoadKey
  let priority: LoadPriority
}

/// One load in the table: how far it is, and who asks for it.
struct LoadEntry: Sendable {
  enum Phase: Hashable, Sendable {
    /// Nobody has asked yet.
    case new
    /// Waits for a worker; within a priority the lower sequence is first.
    case queued(sequence: UInt64)
    /// A worker reads it.
    case running(LoadID)
    /// A worker reads it and has been told to stop.
    case stopping(LoadID)
    /// It failed, or its bytes could not be kept.
    case ended(LoadError?)
  }

  struct Ask: Hashable, Sendable {
    let token: BindingToken
    var priority: LoadPriority
  }

  var phase = Phase.new
  /// What the viewport asks for; `nil` when it does not ask.
  var viewportPriority: LoadPriority?
  /// The reconciliation in which the viewport last asked.
  var viewportRound: UInt64 = 0
  /// The bindings that ask, in the order in which they came.
  private(set) var bindings: [Ask] = []

  var isAskedFor: Bool { viewportPriority != nil || !bindings.isEmpty }

  var tokens: [BindingToken] { bindings.map(\.token) }

  /// The highest priority of those who ask; `nil` when nobody does.
  var priority: LoadPriority? {
    var highest = viewportPriority
    for ask in bindings where highest.map({ $0 < ask.priority }) ?? true {
      highest = ask.priority
    }
    return highest
  }

  func asks(_ token: BindingToken) -> Bool {
    bindings.contains { $0.token == token }
  }

  mutating func join(_ token: BindingToken, priority: LoadPriority) {
    if let index = bindings.firstIndex(where: { $0.token == token }) {
      bindings[index].priority = priority
    } else {
      bindings.append(Ask(token: token, priority: priority))
    }
  }

  /// Lets a binding go.
  ///
  /// - Returns: Whether it asked.
  mutating func leave(_ token: BindingToken) -> Bool {
    guard let index = bindings.firstIndex(where: { $0.token == token }) else { return false }
    bindings.remove(at: index)
    return true
  }

  mutating func leaveBindings() {
    bindings = []
  }

  mutating func leaveAll() {
    viewportPriority = nil
    bindings = []
  }
}
