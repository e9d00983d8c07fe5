import SnippetBase
internal import SnippetStorage

/// Requests of lists.
extension LoadPipeline {
  /// The answer to a binding that asks.
  enum Answer: Sendable {
    /// The blob was in memory.
    case hit(LoadedBlob)
    /// The binding's token will get mail.
    indirect case pending(LoadProgress<LoadedBlob>)
    /// The load is known to fail, at least for now.
    indirect case failed(LoadError)
  }

  /// Reads or changes the state, and carries out the consequences outside of the lock.
  ///
  /// Evicted blobs are freed there, because they may be large, and freeing their contents may run
  /// code of the app. The same goes for cancelling a task.
  func locked<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, discarded, stopped) = state.withLock { state in
      let value = body(&state)
      // Nearly always there are no consequences, and looking for them must not slow a look-up down.
      guard state.table.cache.hasDiscarded || state.table.hasStops else {
        return (value, [LoadedBlob](), [Task<Void, Never>]())
      }
      return (
        value, state.table.cache.takeDiscarded(),
        state.table.takeStops().compactMap { state.tasks[$0] }
      )
    }
    for task in stopped { task.cancel() }
    withExtendedLifetime(discarded) {}
    return value
  }

  /// The counters of loads and cache over all lists; those of rows, cells and deliveries are 0.
  var counters: LoaderCounters {
    locked { state in
      var counters = state.counters
      counters.loadsStarted = state.table.startedCount
      counters.loadsRunning = state.table.runningCount
      counters.loadsWithdrawn = state.table.withdrawnCount
      counters.cacheCost = state.table.cache.cost
      counters.cacheCount = state.table.cache.count
      counters.cacheEvictions = state.table.cache.evictionCount
      counters.cacheBypasses = state.table.cache.bypassCount
      counters.cacheWeakHits = state.table.cache.weakHitCount
      return counters
    }
  }

  /// The speed at which rows get their loads while nothing on screen waits; `nil` before the first
  /// load.
  ///
  /// The time of a load begins when it is handed to a worker. It includes the wait for a thread,
  /// because a row has to be asked for that much earlier. Workers reserved for visible loads do not
  /// count.
  func pace(loadsPerRow: Double) -> LoadPace? {
    let lane: LoadLane = sources.isAsynchronous(.original) ? .asynchronous : .worker
    return locked { state in
      guard let serviceTime = state.serviceTime.mean else { return nil }
      let limits = configuration.limits(of: lane)
      return LoadPace(
        serviceTime: serviceTime,
        loadCount: limits.count - limits.reservedForVisible,
        loadsPerRow: loadsPerRow
      )
    }
  }

  // MARK: - Bindings

  /// Finds the blob for a binding in memory, or makes sure that it is loaded.
  func ask(_ key: LoadKey, for token: BindingToken, priority: LoadPriority) -> Answer {
    // A hit needs no more than this, not even the time.
    if let answer = locked({ $0.answerAtOnce(key, for: token) }) { return answer }
    var starts: [LoadStart] = []
    let now = environment.now()
    let answer = locked { state -> Answer in
      if let answer = state.answerAtOnce(key, for: token) { return answer }
      if let error = state.knownError(of: key, at: now) { return .failed(error) }
      state.counters.misses += 1
      starts = state.table.ask(key, for: token, priority: priority)
      return .pending(state.progress(of: key))
    }
    perform(starts)
    return answer
  }

  /// Finds the blob for a binding in memory, without asking for anything.
  func arrivedBlob(for key: LoadKey) -> LoadedBlob? {
    locked { state in
      guard let blob = state.table.cache.blob(for: key) else { return nil }
      state.counters.hits += 1
      return blob
    }
  }

  /// The progress of a load that a cell waits for.
  func progress(of key: LoadKey) -> LoadProgress<LoadedBlob> {
    locked { $0.progress(of: key) }
  }

  /// The progress of a load that mail announced; `nil` when the load has ended since.
  func takeProgress(of key: LoadKey) -> LoadProgress<LoadedBlob>? {
    locked { $0.table.takeProgressMail(of: key) ? $0.progress(of: key) : nil }
  }

  /// Sets the current urgency of loads that bindings have asked for.
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

  /// Sets the loads that the viewport of a list asks for, most urgent first, replacing its former
  /// ones.
  func reconcile(_ desired: [DesiredLoad], of list: ListID) {
    let now = environment.now()
    perform(locked { $0.reconcile(desired, of: list, at: now) })
  }

  /// Withdraws all requests of a list: waiting loads that nothing else needs never start, and
  /// running ones stop at their next piece.
  ///
  /// Its blobs are not pinned until its viewport asks again: the list may be away when memory is
  /// short.
  func withdraw(_ list: ListID) {
    perform(locked { $0.withdraw(list) })
  }

  func trimCacheToPinned() {
    locked { $0.table.cache.trimToPinned() }
  }

  // MARK: - Trying again

  /// Forgets the failures of a load, and makes its next attempt now if that was due later.
  func retry(_ key: LoadKey) {
    let starts = locked { state -> [LoadStart] in
      var known: LoadKey? = key
      while let key = known {
        state.failures.forget(key)
        known = state.table.graph.input(of: key)
      }
      return state.table.retryNow(key)
    }
    perform(starts)
  }

  /// Forgets all failures, and makes all attempts now that were due later.
  func forgetFailures() {
    perform(locked { $0.forgetFailures() })
  }

  /// Forgets a blob and the blobs it is made from, the failures to load them, and the bytes that
  /// running loads have read so far.
  func forget(_ key: LoadKey) {
    let starts = locked { state -> [LoadStart] in
      var known: [LoadKey] = []
      var next: LoadKey? = key
      while let key = next {
        state.table.cache.remove(key)
        state.failures.forget(key)
        known.append(key)
        next = state.table.graph.input(of: key)
      }
      // Now that none is in the cache, a load that begins again does not take a former input.
      for key in known { state.table.discard(key) }
      return known.flatMap { state.table.forgetDelay(of: $0) }
    }
    perform(starts)
  }

  /// Forgets all blobs, all failures, and the bytes that running loads have read so far.
  func forgetAll() {
    let starts = locked { state -> [LoadStart] in
      state.table.cache.removeAll()
      for key in state.table.running.values { state.table.discard(key) }
      return state.forgetFailures()
    }
    perform(starts)
  }
}
