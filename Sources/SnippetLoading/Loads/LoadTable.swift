/// All requested loads, and the rules by which they start, are shared and end.
///
/// A pure state machine: events come in as calls, and the table returns the work to do without
/// doing it. The owner of the table serializes the calls.
///
/// - A key has one load, for all who ask: bindings, each known by its token, the viewport, and
///   loads made from it. The load has the highest priority of all requests.
/// - A load that is no longer needed leaves the queue and never starts. A running one stays until
///   its worker checks; a request before that lets it go on. Once the worker has been asked to
///   stop, a request waits for a new load.
/// - A load made from another one waits for that at no cost, and then goes before all others of its
///   priority, so that its input is not held for long.
/// - A failed load is retried after a delay as long as attempts are left and it is still needed by
///   then; a binding that comes back during the delay waits for the rest of it. After that the
///   failure stays on record as long as any request does, and so does a load whose bytes could not
///   be kept: a new binding starts it again, but a viewport that has asked all along does not.
struct LoadTable: Sendable {
  /// The limits of the loads and of the cache.
  let configuration: LoadPipeline.Configuration
  /// The recipes and how they are computed.
  var graph: RecipeGraph
  /// The blobs in memory.
  var cache: BlobCache
  /// The number of loads withdrawn before they started.
  private(set) var withdrawnCount = 0
  var entries: [LoadKey: LoadEntry] = [:]
  var running: [LoadID: LoadKey] = [:]
  /// The running loads that have timed out; they still have a worker.
  var expired: Set<LoadID> = []
  private var lanes = LoadLane.allCases.map { _ in LoadLane.State() }
  /// The loads to stop that are not on a worker, which would check by itself.
  private var stops: [LoadID] = []
  private var lastID: UInt64 = 0
  private var lastSequence: UInt64 = 0
  private var round: UInt64 = 0

  init(_ configuration: LoadPipeline.Configuration, _ graph: RecipeGraph) {
    self.configuration = configuration
    self.graph = graph
    cache = BlobCache(limit: configuration.cacheByteLimit)
    cache.keepsDiscarded = true
  }

  /// The number of running loads, with those that are no longer wanted and have not stopped yet.
  var runningCount: Int { running.count - expired.count }

  /// The number of loads started.
  var startedCount: Int { Int(clamping: lastID) }

  /// The last failure of a load that will be retried.
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

  /// The place where a load runs.
  func lane(of key: LoadKey) -> LoadLane {
    graph.isAsynchronous(key) ? .asynchronous : .worker
  }

  /// The highest priority among the requests for a load; `nil` when there are none.
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

  /// Adds a binding's request for a load, or changes its priority.
  mutating func ask(
    _ key: LoadKey,
    for token: BindingToken,
    priority: LoadPriority
  ) -> [LoadStart] {
    entries[key, default: LoadEntry()].join(token, priority: priority)
    beginIfNeeded(key)
    return startNext()
  }

  /// Changes the priority of a binding's request, unless the load has ended.
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

  /// Withdraws a binding's request for a load.
  mutating func leave(_ key: LoadKey, by token: BindingToken) -> [LoadStart] {
    guard entries[key]?.leave(token) == true else { return [] }
    update(key)
    return startNext()
  }

  // MARK: - Viewport

  /// Sets the loads that the viewport asks for, in this order, in place of all former ones.
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
      entry.isAbandoned = false
      entries[load.key] = entry
      switch entry.phase {
      case .new: begin(load.key)
      // A load that has its input stays before all others of its priority.
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

  /// Withdraws the requests of a list's cells and its viewport, and stops loads that nothing else
  /// needs.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - others: The loads that the viewports of the other lists ask for.
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

  /// Notes that the time for the next attempt of a load has come, if it is still delayed by this
  /// failure.
  mutating func retry(_ key: LoadKey, after failure: LoadFailure) -> [LoadStart] {
    guard entries[key]?.phase == .delayed(failure) else { return [] }
    endDelay(of: key)
    return startNext()
  }

  /// Ends the delay of a load and forgets its attempts, because its failure is forgotten.
  mutating func forgetDelay(of key: LoadKey) -> [LoadStart] {
    guard case .delayed = entries[key]?.phase else { return [] }
    entries[key]?.attemptCount = 0
    endDelay(of: key)
    return startNext()
  }

  private mutating func endDelay(of key: LoadKey) {
    guard entries[key]?.isAskedFor == true else {
      withdrawnCount += 1
      entries[key] = nil
      return
    }
    begin(key)
    update(key)
  }

  /// Discards the bytes that a load and its inputs have read: a running load stops, and the
  /// requests get a new one.
  mutating func discard(_ key: LoadKey) {
    guard let entry = entries[key] else { return }
    if let input = entry.input { cache.discard(input) }
    entries[key]?.input = nil
    switch entry.phase {
    case .running(let id):
      stop(id, key)
    case .queued where entry.input != nil:
      begin(key)
      update(key)
    case .new, .waiting, .queued, .stopping, .delayed, .ended:
      break
    }
  }

  /// Retries a load and its inputs now, on request.
  mutating func retryNow(_ key: LoadKey) -> [LoadStart] {
    var pending = key
    while case .waiting(let input) = entries[pending]?.phase { pending = input }
    switch entries[pending]?.phase {
    case .delayed, .ended: begin(pending)
    default: return []
    }
    entries[pending]?.attemptCount = 0
    update(pending)
    return startNext()
  }

  // MARK: - Queue

  /// Makes sure that a requested load is under way.
  mutating func beginIfNeeded(_ key: LoadKey) {
    switch entries[key]?.phase {
    case .new, .ended:
      entries[key]?.attemptCount = 0
      begin(key)
    case .waiting, .queued, .running, .stopping, .delayed, nil:
      break
    }
    update(key)
  }

  /// Queues a load, or first its input.
  mutating func begin(_ key: LoadKey) {
    guard let inputKey = graph.input(of: key), entries[key]?.input == nil else {
      return enqueue(key)
    }
    if let input = cache.peek(inputKey) {
      entries[key]?.input = input
      return enqueue(key)
    }
    entries[key]?.phase = .waiting(input: inputKey)
    entries[inputKey, default: LoadEntry()].join(key)
    beginIfNeeded(inputKey)
  }

  mutating func enqueue(_ key: LoadKey) {
    lastSequence += 1
    entries[key]?.phase = .queued(sequence: lastSequence)
  }

  /// Updates the queue after the requests for a load changed.
  ///
  /// A load without any is removed, unless a worker still has it.
  mutating func update(_ key: LoadKey) {
    guard let entry = entries[key] else { return }
    switch (entry.phase, priority(of: key)) {
    case (.queued(let sequence), let priority?):
      lanes[lane(of: key).rawValue].queue.add(
        LoadQueue.Ticket(key: key, priority: priority, sequence: sequence)
      )
    case (.waiting(let input), .some):
      update(input)
    case (.queued, nil):
      if let input = entry.input { cache.discard(input) }
      withdrawnCount += 1
      entries[key] = nil
    case (.delayed, nil):
      // It stays until its delay is over: a source in trouble is not asked any sooner.
      if let input = entry.input { cache.discard(input) }
      entries[key]?.input = nil
    case (.waiting(let input), nil):
      withdrawnCount += 1
      entries[key] = nil
      entries[input]?.leave(key)
      update(input)
    case (.new, nil), (.ended, nil):
      entries[key] = nil
    case (.running(let id), nil):
      // A worker checks by itself.
      if lane(of: key) == .asynchronous, !goesOnUnasked(entry) { stop(id, key) }
    case (.new, _), (.ended, _), (.delayed, _), (.running, _), (.stopping, _):
      break
    }
  }

  /// Stops a run; nothing it reads counts any more.
  mutating func stop(_ id: LoadID, _ key: LoadKey) {
    entries[key]?.phase = .stopping(id)
    noteStop(of: id, key)
  }

  /// Notes that a run has to be stopped, because nothing else stops it.
  mutating func noteStop(of id: LoadID, _ key: LoadKey) {
    if lane(of: key) == .asynchronous { stops.append(id) }
  }

  /// Whether there are runs to stop.
  var hasStops: Bool { !stops.isEmpty }

  /// The runs to stop.
  mutating func takeStops() -> [LoadID] {
    guard !stops.isEmpty else { return [] }
    defer { stops = [] }
    return stops
  }

  /// Starts the loads that may run now: visible ones in any free place, others in unreserved ones.
  mutating func startNext() -> [LoadStart] {
    LoadLane.allCases.flatMap { startNext(in: $0) }
  }

  private mutating func startNext(in lane: LoadLane) -> [LoadStart] {
    let limits = configuration.limits(of: lane)
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

  /// Takes out the key of a run that has ended; `nil` when it was not running.
  mutating func removeRun(_ id: LoadID) -> LoadKey? {
    for lane in lanes.indices { lanes[lane].running.remove(id) }
    return running.removeValue(forKey: id)
  }

  private func isCurrent(_ ticket: LoadQueue.Ticket) -> Bool {
    guard let entry = entries[ticket.key] else { return false }
    return entry.phase == .queued(sequence: ticket.sequence)
      && priority(of: ticket.key) == ticket.priority
  }

  /// Whether a load that is not visible may start without taking a reserved place.
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
      tickets[lane(of: key).rawValue].append(
        LoadQueue.Ticket(key: key, priority: priority, sequence: sequence)
      )
    }
    for lane in lanes.indices { lanes[lane].queue.replaceAll(with: tickets[lane]) }
  }
}
