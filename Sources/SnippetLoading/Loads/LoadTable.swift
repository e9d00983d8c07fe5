internal import SnippetStorage

/// All loads that are asked for, and the rules by which they start, are shared and end.
///
/// A pure state machine: events come in as calls, and what is to be done comes back; nothing is
/// done here. The owner of the table serialises the calls.
///
/// - A key has one load, for all who ask. Those who ask are bindings, each known by its token, the
///   viewport, and loads that are made from it. The priority of the load is the highest of theirs.
/// - A load that nobody asks for any more leaves the queue and never starts. If it is running it
///   stays until its worker looks; if somebody asks again before that, it just goes on. Once the
///   worker has been told to stop, a request waits for a new load.
/// - A load that is made from another waits until that is here, at no cost, and then goes before
///   all others of its priority, so that what it is made from is not held for long.
/// - A load that failed is tried again after a delay for as long as attempts are left, if somebody
///   asks by then: a binding that comes back meanwhile waits for the rest of the delay. After that
///   it stays on record for as long as somebody asks, as does one whose bytes could not be kept: a
///   new binding starts it again, the viewport that has asked all along does not.
struct LoadTable: Sendable {
  /// By what rules loads run.
  struct Limits: Sendable {
    /// The most loads that run on workers at the same time.
    var workerCount: Int
    /// How many of the workers take visible loads only.
    var reservedForVisible: Int
    /// The loads that run beside the workers, without a thread.
    var asynchronous = LoadLane.Limits(count: 8, reservedForVisible: 2)
    /// Whether a load that was started goes on when nobody asks for it any more.
    var finishesStartedLoads = false
    /// When a load that failed is tried again.
    var retries = RetryPolicy.none

    subscript(lane: LoadLane) -> LoadLane.Limits {
      switch lane {
      case .worker: .init(count: workerCount, reservedForVisible: reservedForVisible)
      case .asynchronous: asynchronous
      }
    }
  }

  let limits: Limits
  /// Tells what a load is made from.
  var inputOf: @Sendable (LoadKey) -> LoadKey?
  /// Tells where a load runs.
  var laneOf: @Sendable (LoadKey) -> LoadLane
  /// How many loads left before they started.
  var withdrawals = LoadWithdrawals()
  var entries: [LoadKey: LoadEntry] = [:]
  var running: [LoadID: LoadKey] = [:]
  /// Those of the running loads whose time was over before they ended; they have a worker still.
  var expired: Set<LoadID> = []
  /// What loads were to be made from that nobody wants any more; see ``takeDiscarded()``.
  private var discarded: [LoadedBlob] = []
  private var lanes = LoadLane.allCases.map { _ in LoadLane.State() }
  /// The loads to be stopped that are not on a worker, which would look by itself.
  private var stops: [LoadID] = []
  private var lastID: UInt64 = 0
  private var lastSequence: UInt64 = 0
  private var round: UInt64 = 0

  init(
    limits: Limits,
    laneOf: @escaping @Sendable (LoadKey) -> LoadLane = { _ in .worker },
    inputOf: @escaping @Sendable (LoadKey) -> LoadKey? = { _ in nil }
  ) {
    self.limits = limits
    self.laneOf = laneOf
    self.inputOf = inputOf
  }

  /// Finds a blob in memory, without counting a use.
  typealias Memory = (LoadKey) -> LoadedBlob?

  /// How many loads run, those included that are no longer wanted and have not stopped yet.
  var runningCount: Int { running.count - expired.count }

  /// How many loads were started.
  var startedCount: Int { Int(clamping: lastID) }

  /// The failure on record for a key.
  func failure(for key: LoadKey) -> LoadFailure? {
    guard case .ended(let failure) = entries[key]?.phase else { return nil }
    return failure
  }

  /// How the last attempt failed of a load that will be tried again.
  func delay(of key: LoadKey) -> LoadFailure? {
    switch entries[key]?.phase {
    case .delayed(let failure): failure
    case .waiting(let input): delay(of: input)
    default: nil
    }
  }

  /// Whether the result of a running load would still be used.
  func isWanted(_ id: LoadID) -> Bool {
    guard let key = running[id], let entry = entries[key], entry.phase == .running(id) else {
      return false
    }
    return entry.isAskedFor || goesOnUnasked(entry)
  }

  /// Whether a binding or the viewport asks for a running load, not only what is made from it.
  func isAskedForItself(_ id: LoadID) -> Bool {
    guard let entry = running[id].flatMap({ entries[$0] }) else { return false }
    return entry.ownPriority != nil || entry.derived.isEmpty
  }

  /// The highest priority of those who ask for a load; `nil` when nobody does.
  func priority(of key: LoadKey) -> LoadPriority? {
    guard let entry = entries[key] else { return nil }
    var highest = entry.ownPriority
    for derived in entry.derived {
      guard let priority = priority(of: derived) else { continue }
      highest = max(highest ?? priority, priority)
    }
    return highest
  }

  // MARK: - Bindings

  /// A binding asks for a load, or for another priority of the load it asked for.
  mutating func ask(
    _ key: LoadKey,
    for token: BindingToken,
    priority: LoadPriority,
    memory: Memory = { _ in nil }
  ) -> [LoadStart] {
    entries[key, default: LoadEntry()].join(token, priority: priority)
    beginIfNeeded(key, memory)
    return startNext()
  }

  /// A binding gives its load another priority, unless the load has ended.
  mutating func setPriority(
    _ priority: LoadPriority,
    of key: LoadKey,
    for token: BindingToken
  ) -> [LoadStart] {
    guard let former = entries[key]?.priority(for: token), former != priority else { return [] }
    entries[key]?.join(token, priority: priority)
    update(key)
    return startNext()
  }

  /// A binding no longer asks for a load.
  mutating func leave(_ key: LoadKey, by token: BindingToken) -> [LoadStart] {
    guard entries[key]?.leave(token) == true else { return [] }
    update(key)
    return startNext()
  }

  // MARK: - Viewport

  /// The viewport asks for these loads, in this order, and no longer for any other.
  ///
  /// - Complexity: O(*n*) in the number of loads asked for before and now.
  mutating func reconcile(
    _ desired: [DesiredLoad],
    memory: Memory = { _ in nil }
  ) -> [LoadStart] {
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
      entry.isAbandoned = false
      entries[load.key] = entry
      switch entry.phase {
      case .new: begin(load.key, memory)
      // One that has what it is made from stays before all others of its priority.
      case .queued(let sequence): if sequence > 0 { enqueue(load.key) }
      case .waiting(let input):
        if case .queued(let sequence) = entries[input]?.phase, sequence > 0 { enqueue(input) }
      case .running, .stopping, .delayed, .ended: break
      }
    }
    let left = entries.filter {
      $0.value.viewportPriority != nil && $0.value.viewportRound != round
    }
    for key in left.keys {
      entries[key]?.viewportPriority = nil
      update(key)
    }
    rebuildQueues()
    return startNext()
  }

  /// The cells of a list ask for nothing any more, nor does its viewport, and what nobody else asks
  /// for stops.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - others: What the viewports of the other lists ask for.
  /// - Returns: The loads to start now.
  mutating func withdraw(_ list: ListID, keeping others: [DesiredLoad]) -> [LoadStart] {
    for key in Array(entries.keys) {
      entries[key]?.leave(list)
      entries[key]?.viewportPriority = nil
    }
    for load in others { entries[load.key]?.viewportPriority = load.priority }
    for key in Array(entries.keys) where priority(of: key) == nil { entries[key]?.leaveAll() }
    for key in Array(entries.keys) { update(key) }
    rebuildQueues()
    return startNext()
  }

  // MARK: - Retries

  /// The time for the next attempt of a load has come.
  ///
  /// - Parameters:
  ///   - key: The load.
  ///   - failure: The failure after which the delay began; for another one it is not the time.
  ///   - memory: Finds what the load is made from.
  /// - Returns: The loads to start now.
  mutating func retry(
    _ key: LoadKey,
    after failure: LoadFailure,
    memory: Memory = { _ in nil }
  ) -> [LoadStart] {
    guard entries[key]?.phase == .delayed(failure) else { return [] }
    endDelay(of: key, memory)
    return startNext()
  }

  /// The delay of a load no longer counts, nor do the attempts before it, because its failure is
  /// forgotten.
  mutating func forgetDelay(of key: LoadKey, memory: Memory) -> [LoadStart] {
    guard case .delayed = entries[key]?.phase else { return [] }
    entries[key]?.attemptCount = 0
    endDelay(of: key, memory)
    return startNext()
  }

  private mutating func endDelay(of key: LoadKey, _ memory: Memory) {
    guard entries[key]?.isAskedFor == true else {
      withdrawals.note(key)
      entries[key] = nil
      return
    }
    begin(key, memory)
    update(key)
  }

  /// What a load has read no longer counts, nor what it is made from: a running one stops, and those
  /// who ask get a new one.
  mutating func discard(_ key: LoadKey) {
    guard let entry = entries[key] else { return }
    if let input = entry.input { discarded.append(input) }
    entries[key]?.input = nil
    switch entry.phase {
    case .running(let id):
      stop(id, key)
    case .queued where entry.input != nil:
      begin(key) { _ in nil }
      update(key)
    case .new, .waiting, .queued, .stopping, .delayed, .ended:
      break
    }
  }

  /// Somebody wants another attempt now: of the load, and of what it is made from.
  mutating func retryNow(_ key: LoadKey, memory: Memory) -> [LoadStart] {
    var pending = key
    while case .waiting(let input) = entries[pending]?.phase { pending = input }
    switch entries[pending]?.phase {
    case .delayed, .ended: begin(pending, memory)
    default: return []
    }
    entries[pending]?.attemptCount = 0
    update(pending)
    return startNext()
  }

  /// Whether there is something to be freed.
  var hasDiscarded: Bool { !discarded.isEmpty }

  /// What is no longer held, to be freed by the owner of the table, outside of its lock.
  mutating func takeDiscarded() -> [LoadedBlob] {
    guard !discarded.isEmpty else { return [] }
    defer { discarded = [] }
    return discarded
  }

  // MARK: - Queue

  /// Sees to it that a load that somebody asked for is under way.
  mutating func beginIfNeeded(_ key: LoadKey, _ memory: Memory) {
    switch entries[key]?.phase {
    case .new, .ended:
      entries[key]?.attemptCount = 0
      begin(key, memory)
    case .waiting, .queued, .running, .stopping, .delayed, nil:
      break
    }
    update(key)
  }

  /// Puts a load into the queue, or first what it is made from.
  mutating func begin(_ key: LoadKey, _ memory: Memory) {
    guard let inputKey = inputOf(key), entries[key]?.input == nil else { return enqueue(key) }
    if let input = memory(inputKey) {
      entries[key]?.input = input
      return enqueue(key)
    }
    entries[key]?.phase = .waiting(input: inputKey)
    entries[inputKey, default: LoadEntry()].join(key)
    beginIfNeeded(inputKey, memory)
  }

  mutating func enqueue(_ key: LoadKey) {
    lastSequence += 1
    entries[key]?.phase = .queued(sequence: lastSequence)
  }

  /// Brings queue and table in line after the askers of a load changed; one that nobody asks for
  /// goes, unless a worker still has it.
  mutating func update(_ key: LoadKey) {
    guard let entry = entries[key] else { return }
    switch (entry.phase, priority(of: key)) {
    case (.queued(let sequence), let priority?):
      lanes[laneOf(key).rawValue].queue.add(
        LoadQueue.Ticket(key: key, priority: priority, sequence: sequence)
      )
    case (.waiting(let input), .some):
      update(input)
    case (.queued, nil):
      if let input = entry.input { discarded.append(input) }
      withdrawals.note(key)
      entries[key] = nil
    case (.delayed, nil):
      // It stays until its delay is over: a source in trouble is not asked sooner for it.
      if let input = entry.input { discarded.append(input) }
      entries[key]?.input = nil
    case (.waiting(let input), nil):
      withdrawals.note(key)
      entries[key] = nil
      entries[input]?.leave(key)
      update(input)
    case (.new, nil), (.ended, nil):
      entries[key] = nil
    case (.running(let id), nil):
      // A worker looks by itself.
      if laneOf(key) == .asynchronous, !goesOnUnasked(entry) { stop(id, key) }
    case (.new, _), (.ended, _), (.delayed, _), (.running, _), (.stopping, _):
      break
    }
  }

  /// Has a run stop; nothing that it reads counts any more.
  mutating func stop(_ id: LoadID, _ key: LoadKey) {
    entries[key]?.phase = .stopping(id)
    noteStop(of: id, key)
  }

  /// Sees to it that a run is told to stop, if nothing else does.
  mutating func noteStop(of id: LoadID, _ key: LoadKey) {
    if laneOf(key) == .asynchronous { stops.append(id) }
  }

  /// Whether there are runs to be told to stop.
  var hasStops: Bool { !stops.isEmpty }

  /// The runs that have to be told to stop.
  mutating func takeStops() -> [LoadID] {
    guard !stops.isEmpty else { return [] }
    defer { stops = [] }
    return stops
  }

  /// Starts what may run now: visible loads in any free place, others in those not reserved.
  mutating func startNext() -> [LoadStart] {
    LoadLane.allCases.flatMap { startNext(in: $0) }
  }

  private mutating func startNext(in lane: LoadLane) -> [LoadStart] {
    let limits = limits[lane]
    if lanes[lane.rawValue].queue.count > 64 + 2 * entries.count { rebuildQueues() }
    var starts: [LoadStart] = []
    while lanes[lane.rawValue].running.count < limits.count,
      let ticket = lanes[lane.rawValue].queue.first(where: isCurrent)
    {
      guard ticket.priority == .visible || hasUnreservedPlace(in: lane, limits) else { break }
      lanes[lane.rawValue].queue.removeFirst()
      lastID += 1
      let id = LoadID(rawValue: lastID)
      running[id] = ticket.key
      lanes[lane.rawValue].running.insert(id)
      entries[ticket.key]?.phase = .running(id)
      entries[ticket.key]?.progress.byteCountRead = 0
      starts.append(
        LoadStart(id: id, key: ticket.key, input: entries[ticket.key]?.input, lane: lane)
      )
    }
    return starts
  }

  /// Takes a run out of the table that has ended.
  ///
  /// - Returns: What it loaded; `nil` when it was not running.
  mutating func removeRun(_ id: LoadID) -> LoadKey? {
    for lane in lanes.indices { lanes[lane].running.remove(id) }
    return running.removeValue(forKey: id)
  }

  private func isCurrent(_ ticket: LoadQueue.Ticket) -> Bool {
    guard let entry = entries[ticket.key] else { return false }
    return entry.phase == .queued(sequence: ticket.sequence)
      && priority(of: ticket.key) == ticket.priority
  }

  /// Whether a load that is not visible may start: it leaves the reserved places to those that are.
  private func hasUnreservedPlace(in lane: LoadLane, _ limits: LoadLane.Limits) -> Bool {
    let others = lanes[lane.rawValue].running.count { id in
      running[id].map { priority(of: $0) != .visible } ?? true
    }
    return others < limits.count - limits.reservedForVisible
  }

  private mutating func rebuildQueues() {
    var tickets = lanes.map { _ in [LoadQueue.Ticket]() }
    for (key, entry) in entries {
      guard case .queued(let sequence) = entry.phase, let priority = priority(of: key) else {
        continue
      }
      tickets[laneOf(key).rawValue].append(
        LoadQueue.Ticket(key: key, priority: priority, sequence: sequence)
      )
    }
    for lane in lanes.indices { lanes[lane].queue.replaceAll(with: tickets[lane]) }
  }
}

/// The loads that left before they were given to a worker.
struct LoadWithdrawals: Sendable {
  private(set) var count = 0
  /// Whether the keys are kept, for a trace.
  var keepsKeys = false
  private var keys: [LoadKey] = []

  mutating func note(_ key: LoadKey) {
    count += 1
    if keepsKeys { keys.append(key) }
  }

  /// The keys since the last call; those that left at once have no order of their own, so that they
  /// are given in one that is always the same.
  mutating func takeKeys() -> [LoadKey] {
    defer { keys = [] }
    return keys.sorted { $0.order < $1.order }
  }
}
