import SnippetBase

/// The work of workers and tasks.
extension LoadPipeline {
  /// Starts loads.
  func perform(_ starts: [LoadStart]) {
    guard !starts.isEmpty else { return }
    let now = environment.now()
    for start in starts {
      environment.onEvent?(.loadStarted(start.key))
      if let loadTimeout = configuration.loadTimeout {
        // Not the whole start: it holds the load's input, which would live as long as the timer.
        environment.wake(loadTimeout) {
          [weak self, id = start.id, key = start.key] in
          self?.expire(id, key)
        }
      }
      switch start.lane {
      case .worker: environment.executeLoad { [self] in run(start, handedOverAt: now) }
      case .asynchronous: startTask(of: start, handedOverAt: now)
      }
    }
  }

  // MARK: - Reading

  private func run(_ start: LoadStart, handedOverAt time: ContinuousClock.Instant) {
    guard !isStopped(start.id) else {
      return conclude(start, handedOverAt: time, with: .failure(LoadError(.cancelled)))
    }
    var context = context(of: start)
    do {
      try load(start, into: &context)
      conclude(start, handedOverAt: time, with: .success(context.take(for: start.key)))
    } catch {
      conclude(start, handedOverAt: time, with: .failure(error))
    }
  }

  private func load(_ start: LoadStart, into context: inout LoadContext) throws(LoadError) {
    let recipe = start.key.recipe
    if let input = start.input, let processor = locked({ $0.table.graph.processor(of: recipe) }) {
      do {
        return try processor.process(input, into: &context)
      } catch {
        throw LoadError(processingBlob: error)
      }
    }
    guard let source = sources.blocking else { throw LoadError(missing: recipe) }
    do {
      try source.read(start.key, into: &context)
    } catch {
      throw LoadError(readingBlob: error)
    }
  }

  private func startTask(of start: LoadStart, handedOverAt time: ContinuousClock.Instant) {
    let stopped = locked { state -> Task<Void, Never>? in
      // Made under the lock, so that it cannot end before it is recorded.
      let task = Task.detached(priority: .userInitiated) { [self] in
        await fetch(start, handedOverAt: time)
      }
      state.tasks[start.id] = task
      // It may have been asked to stop since it was scheduled.
      return state.table.isRunning(start.id) ? nil : task
    }
    stopped?.cancel()
  }

  private func fetch(_ start: LoadStart, handedOverAt time: ContinuousClock.Instant) async {
    guard !isStopped(start.id), let source = sources.asynchronous else {
      return conclude(start, handedOverAt: time, with: .failure(LoadError(.cancelled)))
    }
    var context = context(of: start)
    do {
      try await source.fetch(start.key, into: &context)
      conclude(start, handedOverAt: time, with: .success(context.take(for: start.key)))
    } catch {
      conclude(start, handedOverAt: time, with: .failure(LoadError(readingBlob: error)))
    }
  }

  private func context(of start: LoadStart) -> LoadContext {
    LoadContext(
      maximumByteCount: configuration.maximumBlobByteCount,
      isCancelled: { [self] in isStopped(start.id) },
      report: { [self] in take($0, of: start) }
    )
  }

  private func isStopped(_ id: LoadID) -> Bool {
    locked { $0.table.observeCancellation(of: id) }
  }

  // MARK: - Steps

  /// Sends the progress of a load to those who wait for it.
  private func take(_ step: LoadStep, of start: LoadStart) {
    let (audience, graph) = locked { state in
      (state.table.advance(start.id, by: step, of: start.key), state.table.graph)
    }
    post(audience)
    // Turns the stand-in of the load into a stand-in for the load made from it.
    guard let standIn = step.standIn else { return }
    for key in locked({ $0.table.derived(from: start.key) }) {
      guard let processor = graph.processor(of: key.recipe) else { continue }
      var context = LoadContext(maximumByteCount: configuration.maximumBlobByteCount) { [self] in
        isStopped(start.id)
      }
      // If the processor cannot use it, the derived load has no stand-in.
      guard (try? processor.process(standIn.blob(for: start.key), into: &context)) != nil else {
        continue
      }
      let made = context.take(for: key)
      post(locked { $0.table.setStandIn(made, of: key) })
    }
  }

  /// Sends the progress of loads to lists.
  private func post(_ audience: [(key: LoadKey, lists: Set<ListID>)]) {
    guard !audience.isEmpty else { return }
    let mailboxes = locked(\.mailboxes)
    for (key, lists) in audience {
      for list in lists { mailboxes[list]?.post(.progress(key)) }
    }
  }

  // MARK: - Ending

  private func conclude(
    _ start: LoadStart,
    handedOverAt time: ContinuousClock.Instant,
    with result: Result<LoadedBlob, LoadError>
  ) {
    let now = environment.now()
    let conclusion = locked { state -> LoadConclusion in
      let moment = LoadMoment(now: now, chance: state.random.unit())
      state.tasks[start.id] = nil
      let conclusion = state.table.finish(start.id, result, at: moment)
      state.count(result, conclusion)
      state.remember(conclusion.deliveries, at: now)
      if conclusion.isWanted { state.serviceTime.add(time.duration(to: now)) }
      return conclusion
    }
    carryOut(conclusion, of: start.key, result)
  }

  /// Gives up a load that takes too long.
  private func expire(_ id: LoadID, _ key: LoadKey) {
    let now = environment.now()
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

  /// Carries out the consequences of a run's end.
  private func carryOut(
    _ conclusion: LoadConclusion,
    of key: LoadKey,
    _ result: Result<LoadedBlob, LoadError>
  ) {
    if let onEvent = environment.onEvent, !conclusion.isExpired {
      switch result {
      case _ where !conclusion.isWanted: onEvent(.loadCancelled(key))
      case .success(let blob): onEvent(.loadFinished(key, byteCount: blob.byteCount))
      case .failure(let error): onEvent(.loadFailed(key, error.code))
      }
      if let retry = conclusion.retry { onEvent(.loadDelayed(key, by: retry.delay)) }
    }
    if let retry = conclusion.retry {
      environment.wake(retry.delay) { [weak self] in self?.resume(retry) }
    }
    for delivery in conclusion.deliveries where !delivery.tokens.isEmpty { post(delivery) }
    perform(conclusion.starts)
  }

  /// Sends each list its part of a delivery.
  private func post(_ delivery: LoadDelivery) {
    let mailboxes = locked(\.mailboxes)
    let lists = Set(delivery.tokens.map(\.list))
    guard lists.count > 1 else {
      if let list = lists.first { mailboxes[list]?.post(.load(delivery)) }
      return
    }
    for list in lists.sorted(by: { $0.rawValue < $1.rawValue }) {
      mailboxes[list]?.post(.load(delivery.only(for: list)))
    }
  }

  private func resume(_ retry: LoadRetry) {
    perform(locked { $0.table.retry(retry.key, after: retry.failure) })
  }
}
