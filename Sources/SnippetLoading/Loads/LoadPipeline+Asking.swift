import SnippetBase
internal import SnippetStorage

/// What lists ask for.
extension LoadPipeline {
  /// The answer to a binding that asks.
  enum Answer: Sendable {
    /// The blob was in memory.
    case hit(LoadedBlob)
    /// The binding's token will get mail.
    indirect case pending(LoadProgress)
    /// It is known that the load cannot succeed, at least not now.
    indirect case failed(LoadFailure)
  }

  /// Looks at the state or changes it, and carries out outside of the lock what follows from it.
  ///
  /// Evicted blobs are freed there: that may be large, and of a type whose end runs code of the
  /// app's. So does the cancellation of a task.
  func locked<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, discarded, stopped) = state.withLock { state in
      let value = body(&state)
      // Nearly always there is nothing, and a look-up must not take longer for it.
      guard state.cache.hasDiscarded || state.table.hasDiscarded || state.table.hasStops else {
        return (value, [LoadedBlob](), [Task<Void, Never>]())
      }
      return (
        value, state.cache.takeDiscarded() + state.table.takeDiscarded(),
        state.table.takeStops().compactMap { state.tasks[$0] }
      )
    }
    for task in stopped { task.cancel() }
    withExtendedLifetime(discarded) {}
    return value
  }

  /// The counters of loads and cache, of all lists together; those of rows, cells and deliveries
  /// are 0.
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

  /// How fast rows get what they need while nothing on screen waits; `nil` before the first load.
  ///
  /// A load takes from the moment it is handed to a worker. The wait for a thread is part of it: so
  /// much earlier a row has to be asked for.
  ///
  /// - Parameter loadsPerRow: How many loads a row needs on average.
  /// - Returns: The pace, with the workers that are not kept for what is visible.
  func pace(loadsPerRow: Double) -> LoadPace? {
    let lane: LoadLane = sources.isAsynchronous(.original) ? .asynchronous : .worker
    return locked { state in
      guard let serviceTime = state.serviceTime.mean else { return nil }
      let limits = state.table.limits[lane]
      return LoadPace(
        serviceTime: serviceTime,
        loadCount: limits.count - limits.reservedForVisible,
        loadsPerRow: loadsPerRow
      )
    }
  }

  /// How many parts of bindings ask for a load, including those that know of its failure.
  var askCount: Int {
    locked { $0.table.entries.values.reduce(0) { $0 + $1.tokens.count } }
  }

  // MARK: - Bindings

  /// Finds the blob for a binding in memory, or sees to it that it is loaded.
  func ask(_ key: LoadKey, for token: BindingToken, priority: LoadPriority) -> Answer {
    // A hit needs no more than this, not even the time.
    if let answer = locked({ $0.answerAtOnce(key, for: token) }) {
      trace?.record(answer, to: token, asking: key)
      return answer
    }
    var starts: [LoadStart] = []
    let now = environment.now()
    let answer = locked { state -> Answer in
      if let answer = state.answerAtOnce(key, for: token) { return answer }
      if let failure = state.knownFailure(of: key, at: now) {
        return .failed(failure)
      }
      state.counters.misses += 1
      let cache = state.cache
      starts = state.table.ask(key, for: token, priority: priority) { cache.peek($0) }
      return .pending(state.progress(of: key))
    }
    trace?.record(answer, to: token, asking: key)
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

  /// What there is to tell of a load that somebody waits for.
  func progress(of key: LoadKey) -> LoadProgress {
    locked { $0.progress(of: key) }
  }

  /// What mail told of: how far a load is; `nil` when it has come to something since.
  func takeProgress(of key: LoadKey) -> LoadProgress? {
    locked { $0.table.takeProgressMail(of: key) ? $0.progress(of: key) : nil }
  }

  /// Tells how urgent loads are now that bindings have asked for.
  func setPriorities(_ asks: [LoadAsk]) {
    guard !asks.isEmpty else { return }
    perform(
      locked { state in
        asks.flatMap { state.table.setPriority($0.priority, of: $0.key, for: $0.token) }
      }
    )
  }

  func leave(_ key: LoadKey, by token: BindingToken) {
    perform(locked { $0.table.leave(key, by: token) })
  }

  // MARK: - Viewports

  /// Declares all that the viewport of a list asks for, most urgent first, in place of what it
  /// asked for before.
  func reconcile(_ desired: [DesiredLoad], of list: ListID) {
    let now = environment.now()
    perform(locked { $0.reconcile(desired, of: list, at: now) })
  }

  /// Takes back all that a list asks for: what waits and nobody else asks for never starts, what
  /// runs stops at its next piece.
  ///
  /// Nothing of it is pinned until its viewport asks again: the list may be away when memory is
  /// short.
  func withdraw(_ list: ListID) {
    perform(locked { $0.withdraw(list) })
  }

  func trimCacheToPinned() {
    locked { $0.cache.trimToPinned() }
  }

  // MARK: - Trying again

  /// Forgets what is known of failures of a load, and makes the next attempt now if one is due
  /// later.
  func retry(_ key: LoadKey) {
    let starts = locked { state -> [LoadStart] in
      var known: LoadKey? = key
      while let key = known {
        state.failures.forget(key)
        known = state.graph.input(of: key)
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
        next = state.graph.input(of: key)
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
}
