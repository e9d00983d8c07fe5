/// All loads that are asked for, and the rules by which they start, are shared and end.
///
/// A pure state machine: events come in as calls, and what is to be done comes back; nothing is
/// done here. Whoever owns the table serialises the calls.
///
/// - A key has one load, whoever asks for it. Those who ask are bindings, each known by its token,
///   and the viewport. The priority of the load is the highest of theirs.
/// - A load that nobody asks for any more leaves the queue and never starts. If it is running it
///   stays until its worker looks; if somebody asks again before that, it just goes on. Once the
///   worker has been told to stop, whoever asks waits for a new load.
/// - A load that failed, or whose bytes could not be kept, stays on record for as long as somebody
///   asks: a new binding starts it again, the viewport does not.
struct LoadTable: Sendable {
  /// How many loads may run.
  struct Limits: Sendable {
    /// The most loads that run at the same time.
    var workerCount: Int
    /// How many of the workers take visible loads only.
    var reservedForVisible: Int
  }

  /// What came of reading.
  enum Reading: Sendable {
    /// The bytes are in the cache.
    case kept
    /// The bytes were read, but the cache has no room for them.
    case notKept
    /// The bytes could not be read.
    case failed(LoadError)
  }

  /// What to do after a load ended.
  struct Conclusion: Equatable {
    /// Whether the result counts; a load that was not wanted any more has none.
    var isWanted: Bool
    /// The bindings to tell of the result.
    var tokens: [BindingToken] = []
    /// The loads to start in its place.
    var starts: [LoadStart] = []
  }

  let limits: Limits
  /// How many loads left the queue before they started.
  private(set) var withdrawnCount = 0
  private(set) var entries: [LoadKey: LoadEntry] = [:]
  private(set) var running: [LoadID: LoadKey] = [:]
  private var queue = LoadQueue()
  private var lastID: UInt64 = 0
  private var lastSequence: UInt64 = 0
  private var round: UInt64 = 0

  init(limits: Limits) {
    self.limits = limits
  }

  /// How many loads run, those included that are no longer wanted and have not stopped yet.
  var runningCount: Int { running.count }

  /// How many loads were started.
  var startedCount: Int { Int(clamping: lastID) }

  /// The failure on record for a key.
  func failure(for key: LoadKey) -> LoadError? {
    guard case .ended(let failure) = entries[key]?.phase else { return nil }
    return failure
  }

  /// Whether the result of a running load would still be used.
  func isWanted(_ id: LoadID) -> Bool {
    guard let key = running[id], let entry = entries[key] else { return false }
    return entry.phase == .running(id) && entry.isAskedFor
  }

  // MARK: - Bindings

  /// A binding asks for a load, or for another priority of the load it asked for.
  mutating func ask(
    _ key: LoadKey,
    for token: BindingToken,
    priority: LoadPriority
  ) -> [LoadStart] {
    var entry = entries[key] ?? LoadEntry()
    entry.join(token, priority: priority)
    switch entry.phase {
    case .new, .ended: entry.phase = nextInQueue()
    case .queued, .running, .stopping: break
    }
    update(key, to: entry)
    return startNext()
  }

  /// A binding gives its load another priority, unless the load has ended.
  mutating func setPriority(
    _ priority: LoadPriority,
    of key: LoadKey,
    for token: BindingToken
  ) -> [LoadStart] {
    guard var entry = entries[key], entry.asks(token) else { return [] }
    entry.join(token, priority: priority)
    update(key, to: entry)
    return startNext()
  }

  /// A binding no longer asks for a load.
  mutating func leave(_ key: LoadKey, by token: BindingToken) -> [LoadStart] {
    guard var entry = entries[key], entry.leave(token) else { return [] }
    update(key, to: entry)
    return startNext()
  }

  // MARK: - Viewport

  /// The viewport asks for these loads, in this order, and no longer for any other.
  ///
  /// - Complexity: O(*n*) in the number of loads asked for before and now.
  mutating func reconcile(_ desired: [DesiredLoad]) -> [LoadStart] {
    round += 1
    for load in desired {
      var entry = entries[load.key] ?? LoadEntry()
      // The same blob may be in the range twice; its most urgent place counts.
      if entry.viewportRound == round, let former = entry.viewportPriority,
        former >= load.priority
      {
        continue
      }
      entry.viewportPriority = load.priority
      entry.viewportRound = round
      switch entry.phase {
      case .new, .queued: entry.phase = nextInQueue()
      case .running, .stopping, .ended: break
      }
      entries[load.key] = entry
    }
    for (key, entry) in entries
    where entry.viewportPriority != nil && entry.viewportRound != round {
      var entry = entry
      entry.viewportPriority = nil
      update(key, to: entry)
    }
    rebuildQueue()
    return startNext()
  }

  /// Nobody asks for anything any more.
  mutating func withdrawAll() {
    for (key, entry) in entries {
      var entry = entry
      entry.leaveAll()
      update(key, to: entry)
    }
    rebuildQueue()
  }

  // MARK: - Workers

  /// The worker of a load asks whether to stop.
  ///
  /// Told so once, it stops, and nothing that it reads counts, whoever asks meanwhile.
  mutating func observeCancellation(of id: LoadID) -> Bool {
    guard let key = running[id], var entry = entries[key] else { return true }
    if entry.phase == .stopping(id) { return true }
    guard !entry.isAskedFor else { return false }
    entry.phase = .stopping(id)
    entries[key] = entry
    return true
  }

  /// The worker of a load is done with it.
  mutating func finish(_ id: LoadID, _ reading: Reading) -> Conclusion {
    guard let key = running.removeValue(forKey: id), var entry = entries[key] else {
      preconditionFailure("A load ended that was not running.")
    }
    guard entry.phase == .running(id), entry.isAskedFor else {
      if entry.isAskedFor {
        entry.phase = nextInQueue()
        update(key, to: entry)
      } else {
        entries[key] = nil
      }
      return Conclusion(isWanted: false, starts: startNext())
    }
    let tokens = entry.tokens
    switch reading {
    case .kept:
      entries[key] = nil
    case .notKept:
      entry.leaveBindings()
      entry.phase = .ended(nil)
      update(key, to: entry)
    case .failed(let failure):
      entry.phase = .ended(failure)
      update(key, to: entry)
    }
    return Conclusion(isWanted: true, tokens: tokens, starts: startNext())
  }
  // MARK: - Queue

  private mutating func nextInQueue() -> LoadEntry.Phase {
    lastSequence += 1
    return .queued(sequence: lastSequence)
  }

  /// Puts an entry back after its askers changed; one that nobody asks for goes, unless a worker
  /// still has it.
  private mutating func update(_ key: LoadKey, to entry: LoadEntry) {
    switch (entry.phase, entry.priority) {
    case (.queued(let sequence), let priority?):
      queue.add(LoadQueue.Ticket(key: key, priority: priority, sequence: sequence))
    case (.queued, nil):
      withdrawnCount += 1
      entries[key] = nil
      return
    case (.new, nil), (.ended, nil):
      entries[key] = nil
      return
    case (.new, _), (.ended, _), (.running, _), (.stopping, _):
      break
    }
    entries[key] = entry
  }

  /// Starts what may run now: visible loads on any free worker, others on those not reserved.
  private mutating func startNext() -> [LoadStart] {
    if queue.count > 64 + 2 * entries.count { rebuildQueue() }
    var starts: [LoadStart] = []
    while running.count < limits.workerCount, let ticket = queue.first(where: isCurrent) {
      guard ticket.priority == .visible || hasUnreservedWorker else { break }
      queue.removeFirst()
      lastID += 1
      let id = LoadID(rawValue: lastID)
      running[id] = ticket.key
      entries[ticket.key]?.phase = .running(id)
      starts.append(LoadStart(id: id, key: ticket.key))
    }
    return starts
  }

  private func isCurrent(_ ticket: LoadQueue.Ticket) -> Bool {
    guard let entry = entries[ticket.key] else { return false }
    return entry.phase == .queued(sequence: ticket.sequence) && entry.priority == ticket.priority
  }

  /// Whether a load that is not visible may start: it leaves the reserved workers to those that are.
  private var hasUnreservedWorker: Bool {
    let others = running.values.count { entries[$0]?.priority != .visible }
    return others < limits.workerCount - limits.reservedForVisible
  }

  private mutating func rebuildQueue() {
    queue.replaceAll(
      with: entries.compactMap { key, entry in
        guard case .queued(let sequence) = entry.phase, let priority = entry.priority else {
          return nil
        }
        return LoadQueue.Ticket(key: key, priority: priority, sequence: sequence)
      }
    )
  }
}
