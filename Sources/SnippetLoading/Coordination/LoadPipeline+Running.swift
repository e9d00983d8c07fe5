import SnippetBase
internal import SnippetStorage

/// Owns the table and the cache under one lock, and carries out what they decide outside of it.
///
/// All calls may come from any thread. None waits for a read: the lock is held only while
/// memory is changed.
final class LoadCoordinator: Sendable {
  /// The answer to a binding that asks.
  enum Answer: Sendable {
    /// The blob was in memory.
    case hit(LoadedBlob)
    /// The binding's token will get mail.
    case pending(LoadProgress)
    /// It is known that the load cannot succeed, at least not now.
    case failed(LoadFailure)
  }

  /// What the coordinator needs of its surroundings.
  struct Surroundings: Sendable {
    let source: any BlobSource
    let rules: RecipeRules
    let executor: any LoadExecutor
    let timer: any LoadTimer
    let now: @Sendable () -> ContinuousClock.Instant
    let mailbox: MainMailbox
    let randomSeed: UInt64
    let trace: LoaderEventRecorder?
  }

  private let state: Lock<State>
  private let surroundings: Surroundings
  private let limits: Limits

  /// What loads and blobs in memory may take.
  struct Limits: Sendable {
    let loads: LoadTable.Limits
    let cacheByteLimit: Int
    let maximumBlobByteCount: Int
    let loadTimeout: Duration?
  }

  init(_ surroundings: Surroundings, limits: Limits) {
    let rules = surroundings.rules
    self.state = Lock(
      State(
        table: LoadTable(limits: limits.loads) { rules.input(of: $0) },
        cache: BlobCache(limit: limits.cacheByteLimit),
        failures: FailureMemory(duration: limits.loads.retries.memory),
        random: SplitMix64(seed: surroundings.randomSeed)
      )
    )
    self.surroundings = surroundings
    self.limits = limits
    state.withLock { state in
      state.cache.keepsDiscarded = true
      state.table.withdrawals.keepsKeys = surroundings.trace != nil
    }
  }

  /// Looks at the state or changes it, and frees evicted blobs outside of the lock: that may be
  /// large, and of a type whose end runs code of the app's.
  private func locked<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, discarded) = state.withLock { state in
      let value = body(&state)
      // Nearly always there is nothing, and a look-up must not take longer for it.
      guard state.cache.hasDiscarded || state.table.hasDiscarded else { return (value, []) }
      return (value, state.cache.takeDiscarded() + state.table.takeDiscarded())
    }
    withExtendedLifetime(discarded) {}
    return value
  }

  /// The counters of loads and cache; those of rows, cells and deliveries are 0.
  var counters: LoaderCounters {
    locked { state in
      var counters = state.counters
      counters.loadsStarted = state.table.startedCount
      counters.loadsRunning = state.table.runningCount
      counters.loadsWithdrawn = state.table.withdrawals.count
      counters.cacheCost = state.cache.cost
      counters.cacheCount = state.cache.count
      counters.cacheEvictions = state.cache.evictionCount
      counters.cacheBypasses = state.cache.bypassCount
      counters.cacheWeakHits = state.cache.weakHitCount
      return counters
    }
  }

  /// How long a load takes on average, from the moment it is handed to a worker; `nil` before the
  /// first.
  ///
  /// The wait for a thread is part of it: so much earlier a row has to be asked for.
  var meanServiceTime: Duration? { locked { $0.serviceTime.mean } }

  /// How many parts of bindings ask for a load, including those that know of its failure.
  var askCount: Int {
    locked { $0.table.entries.values.reduce(0) { $0 + $1.tokens.count } }
  }

  // MARK: - Bindings

  /// Finds the blob for a binding in memory, or sees to it that it is loaded.
  func ask(_ key: LoadKey, for token: BindingToken, priority: LoadPriority) -> Answer {
    var starts: [LoadStart] = []
    let now = surroundings.now()
    let answer = locked { state -> Answer in
      if state.isClosed {
        return .failed(LoadFailure(LoadError(.cancelled, reason: "the loader is closed")))
      }
      if let blob = state.cache.blob(for: key) {
        state.counters.hits += 1
        return .hit(blob)
      }
      if let failure = state.knownFailure(of: key, at: now, by: surroundings.rules) {
        return .failed(failure)
      }
      state.counters.misses += 1
      let cache = state.cache
      starts = state.table.ask(key, for: token, priority: priority) { cache.peek($0) }
      return .pending(progress(of: key, in: state))
    }
    surroundings.trace?.record(answer, to: token, asking: key)
    perform(starts)
    return answer
  }

  /// Finds the blob for a binding in memory, without asking for anything.
  func arrivedBlob(for key: LoadKey) -> LoadedBlob? {
    locked { state in
      guard let blob = state.cache.blob(for: key) else { return nil }
      state.counters.hits += 1
      return blob
    }
  }

  /// Finds a blob in memory and notes the use.
  func blobInMemory(for key: LoadKey) -> LoadedBlob? {
    locked { $0.cache.blob(for: key) }
  }

  /// What there is to tell of a load that somebody waits for.
  func progress(of key: LoadKey) -> LoadProgress {
    locked { progress(of: key, in: $0) }
  }

  func setPriority(_ priority: LoadPriority, of key: LoadKey, for token: BindingToken) {
    perform(
      locked { $0.table.setPriority(priority, of: key, for: token) }
    )
  }

  func leave(_ key: LoadKey, by token: BindingToken) {
    perform(locked { $0.table.leave(key, by: token) })
  }

  private func progress(of key: LoadKey, in state: State) -> LoadProgress {
    var standIn: LoadedBlob?
    for recipe in surroundings.rules.standIns(for: key.recipe) {
      standIn = state.cache.peek(key.by(recipe))
      if standIn != nil { break }
    }
    return LoadProgress(standIn: standIn, failure: state.table.delay(of: key))
  }

  // MARK: - Trying again

  /// Forgets what is known of failures of a load, and makes the next attempt now if one is due
  /// later.
  func retry(_ key: LoadKey) {
    let starts = locked { state -> [LoadStart] in
      var known: LoadKey? = key
      while let key = known {
        state.failures.forget(key)
        known = surroundings.rules.input(of: key)
      }
      let cache = state.cache
      return state.table.retryNow(key) { cache.peek($0) }
    }
    perform(starts)
  }

  /// Forgets everything that is known of failures, and makes the next attempts now that are due
  /// later.
  func forgetFailures() {
    perform(locked { $0.forgetFailures() })
  }

  /// Forgets a blob and what it is made from, what is known of failures to load them, and what
  /// loads of them have read so far.
  func forget(_ key: LoadKey) {
    let starts = locked { state -> [LoadStart] in
      var known: [LoadKey] = []
      var next: LoadKey? = key
      while let key = next {
        state.cache.remove(key)
        state.failures.forget(key)
        state.table.discard(key)
        known.append(key)
        next = surroundings.rules.input(of: key)
      }
      return known.flatMap { state.forgetDelay(of: $0) }
    }
    perform(starts)
  }

  /// Forgets all blobs, all failures, and what loads have read so far.
  func forgetAll() {
    let starts = locked { state -> [LoadStart] in
      state.cache.removeAll()
      for key in state.table.running.values { state.table.discard(key) }
      return state.forgetFailures()
    }
    perform(starts)
  }

  private func resume(_ retry: LoadRetry) {
    let starts = locked { state -> [LoadStart] in
      let cache = state.cache
      return state.table.retry(retry.key, after: retry.failure) { cache.peek($0) }
    }
    perform(starts)
  }

  // MARK: - Viewport

  /// Declares all that the viewport asks for, most urgent first, in place of what it asked for
  /// before.
  ///
  /// What is in memory of it stays there: it is pinned, so that what comes in later pushes out only
  /// what was left behind. What is known to fail is not asked for.
  func reconcile(_ desired: [DesiredLoad]) {
    let now = surroundings.now()
    let starts = locked { state -> [LoadStart] in
      guard !state.isClosed else { return [] }
      state.cache.pin(desired.map(\.key))
      let missing = desired.filter {
        !state.cache.contains($0.key)
          && state.knownFailure(of: $0.key, at: now, by: surroundings.rules) == nil
      }
      let cache = state.cache
      return state.table.reconcile(missing) { cache.peek($0) }
    }
    perform(starts)
  }

  func trimCache(to byteCount: Int) {
    locked { $0.cache.trim(to: byteCount) }
  }

  func trimCacheToPinned() {
    locked { $0.cache.trimToPinned() }
  }

  /// Gives up every load: those that wait never start, those that run stop at their next piece.
  ///
  /// Nothing is pinned until the viewport asks again: the list may be away when memory is short.
  func withdrawAll() {
    locked { state in
      state.table.withdrawAll()
      state.cache.pin([])
    }
    recordWithdrawals()
  }

  /// Gives up every load, forgets every blob, and starts nothing any more.
  func close() {
    locked { state in
      state.isClosed = true
      state.table.withdrawAll()
      state.cache.removeAll()
      state.failures.removeAll()
    }
    recordWithdrawals()
  }

  // MARK: - Workers

  private func recordWithdrawals() {
    guard let trace = surroundings.trace else { return }
    trace.record(withdrawn: locked { $0.table.withdrawals.takeKeys() })
  }

  private func perform(_ starts: [LoadStart]) {
    recordWithdrawals()
    guard !starts.isEmpty else { return }
    let now = surroundings.now()
    for start in starts {
      surroundings.trace?.record(.loadStarted(start.key))
      if let loadTimeout = limits.loadTimeout {
        // Not the whole start, which holds what the load is made from for as long as the timer
        // runs.
        surroundings.timer.schedule(after: loadTimeout) {
          [weak self, id = start.id, key = start.key] in
          self?.expire(id, key)
        }
      }
      surroundings.executor.execute { [self] in run(start, handedOverAt: now) }
    }
  }

  private func run(_ start: LoadStart, handedOverAt time: ContinuousClock.Instant) {
    guard !isStopped(start.id) else {
      conclude(start, handedOverAt: time, with: .failure(LoadError(.cancelled)))
      return
    }
    var context = LoadContext(maximumByteCount: limits.maximumBlobByteCount) { [self] in
      isStopped(start.id)
    }
    do {
      try load(start, into: &context)
      conclude(start, handedOverAt: time, with: .success(context.take(for: start.key)))
    } catch {
      conclude(start, handedOverAt: time, with: .failure(error))
    }
  }

  private func load(_ start: LoadStart, into context: inout LoadContext) throws(LoadError) {
    if let input = start.input, let processor = surroundings.rules.processor(of: start.key.recipe) {
      do {
        try processor.process(input, into: &context)
      } catch {
        throw LoadError(processingBlob: error)
      }
      return
    }
    do {
      try surroundings.source.read(start.key, into: &context)
    } catch {
      throw LoadError(readingBlob: error)
    }
  }

  private func isStopped(_ id: LoadID) -> Bool {
    locked { $0.table.observeCancellation(of: id) }
  }

  private func conclude(
    _ start: LoadStart,
    handedOverAt time: ContinuousClock.Instant,
    with result: Result<LoadedBlob, LoadError>
  ) {
    let now = surroundings.now()
    let conclusion = locked { state -> LoadConclusion in
      let moment = LoadMoment(now: now, chance: state.random.unit())
      let reading = state.keep(result, of: start)
      let cache = state.cache
      let conclusion = state.table.finish(start.id, reading, at: moment) { cache.peek($0) }
      state.count(result, conclusion)
      state.remember(conclusion.deliveries, at: now)
      if conclusion.isWanted { state.serviceTime.add(time.duration(to: now)) }
      return conclusion
    }
    carryOut(conclusion, of: start.key, result)
  }

  /// Gives up a load that takes too long.
  private func expire(_ id: LoadID, _ key: LoadKey) {
    let now = surroundings.now()
    let result = Result<LoadedBlob, LoadError>.failure(LoadError(.timedOut))
    let conclusion = locked { state -> LoadConclusion in
      let moment = LoadMoment(now: now, chance: state.random.unit())
      let conclusion = state.table.expire(id, at: moment)
      if conclusion.isWanted { state.count(result, conclusion) }
      state.remember(conclusion.deliveries, at: now)
      return conclusion
    }
    if conclusion.isWanted { carryOut(conclusion, of: key, result) }
  }

  /// Does what the end of a run asks for.
  private func carryOut(
    _ conclusion: LoadConclusion,
    of key: LoadKey,
    _ result: Result<LoadedBlob, LoadError>
  ) {
    if !conclusion.isExpired { surroundings.trace?.record(key, result, conclusion) }
    if let retry = conclusion.retry {
      surroundings.timer.schedule(after: retry.delay) { [weak self] in self?.resume(retry) }
    }
    for delivery in conclusion.deliveries where !delivery.tokens.isEmpty {
      surroundings.mailbox.post(.load(delivery))
    }
    perform(conclusion.starts)
  }
}
