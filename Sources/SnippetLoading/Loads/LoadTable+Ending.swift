extension LoadTable {
  /// Notes that the worker of a load asks whether to stop.
  ///
  /// Once the answer is yes, the worker stops, and nothing it reads counts, even for a request that
  /// comes before it has stopped.
  mutating func observeCancellation(of id: LoadID) -> Bool {
    guard let key = running[id], let entry = entries[key] else { return true }
    guard entry.phase == .running(id) else { return true }
    guard !entry.isAskedFor, !goesOnUnasked(entry) else { return false }
    entries[key]?.phase = .stopping(id)
    return true
  }

  /// Notes that the worker of a load is done.
  ///
  /// - Parameters:
  ///   - id: The run that ended.
  ///   - result: The outcome of the run; a blob is kept if it is wanted for itself.
  ///   - moment: The time, and a random number that shortens a delay.
  /// - Returns: The consequences.
  mutating func finish(
    _ id: LoadID,
    _ result: Result<LoadedBlob, LoadError>,
    at moment: LoadMoment
  ) -> LoadConclusion {
    guard let key = removeRun(id) else {
      preconditionFailure("A load ended that was not running.")
    }
    guard expired.remove(id) == nil, let entry = entries[key] else {
      return LoadConclusion(isWanted: false, isExpired: true, starts: startNext())
    }
    guard entry.phase == .running(id), entry.isAskedFor || goesOnUnasked(entry) else {
      if entry.isAskedFor {
        begin(key)
        update(key)
      } else {
        entries[key] = nil
      }
      return LoadConclusion(isWanted: false, starts: startNext())
    }
    var conclusion = LoadConclusion(isWanted: true)
    switch result {
    case .success(let blob):
      // A blob that only serves as input for another would push out blobs needed for themselves.
      let isWantedItself = entry.ownPriority != nil || entry.derived.isEmpty
      let isKept = isWantedItself && cache.insert(blob)
      conclusion.deliveries = [
        LoadDelivery(key: key, tokens: entry.tokens, result: .loaded(blob), run: id)
      ]
      for derived in entry.derived { provide(blob, for: derived) }
      entries[key]?.derived = []
      entries[key]?.bindings = []
      entries[key]?.input = nil
      entries[key]?.progress = LoadProgress()
      entries[key]?.phase = .ended(nil)
      if isKept { entries[key] = nil } else { update(key) }
    case .failure(let error):
      fail(key, error, of: id, at: moment, &conclusion)
    }
    conclusion.starts = startNext()
    return conclusion
  }

  /// Notes that a load has run out of time before its worker was done.
  ///
  /// For those who ask, it has failed, and it is retried like any other. The worker stops when it
  /// next checks, and is not free until then.
  ///
  /// - Parameters:
  ///   - id: The run that has run out of time; one that has ended is ignored.
  ///   - moment: The time, and a random number that shortens a delay.
  /// - Returns: The consequences.
  mutating func expire(_ id: LoadID, at moment: LoadMoment) -> LoadConclusion {
    guard let key = running[id], entries[key]?.phase == .running(id), isWanted(id) else {
      return LoadConclusion(isWanted: false)
    }
    expired.insert(id)
    noteStop(of: id, key)
    var conclusion = LoadConclusion(isWanted: true)
    fail(key, LoadError(.timedOut), of: id, at: moment, &conclusion)
    conclusion.starts = startNext()
    return conclusion
  }

  /// Gives a load its input.
  private mutating func provide(_ input: LoadedBlob, for key: LoadKey) {
    guard case .waiting = entries[key]?.phase else { return }
    entries[key]?.input = input
    // Before all others of its priority, because its input is held until it is done.
    entries[key]?.phase = .queued(sequence: 0)
    update(key)
  }

  private mutating func fail(
    _ key: LoadKey,
    _ error: LoadError,
    of run: LoadID,
    at moment: LoadMoment,
    _ conclusion: inout LoadConclusion
  ) {
    entries[key]?.attemptCount += 1
    let attemptCount = entries[key]?.attemptCount ?? 1
    let delay =
      error.isRetryable
      ? configuration.retries.delay(afterAttempt: attemptCount, chance: moment.chance) : nil
    if let delay, entries[key]?.isAskedFor == true {
      let failure = LoadFailure(
        error: error,
        attemptCount: attemptCount,
        retryAt: moment.now + delay
      )
      entries[key]?.phase = .delayed(failure)
      conclusion.retry = LoadRetry(key: key, failure: failure, delay: delay)
      announce(.delayed(failure), of: run, for: key, &conclusion)
    } else {
      announce(.failed(error), of: run, for: key, &conclusion)
      end(key, with: error)
    }
  }

  /// Reports to those who ask for a load, and to those who ask for loads made from it.
  private func announce(
    _ result: LoadResult,
    of run: LoadID,
    for key: LoadKey,
    _ conclusion: inout LoadConclusion
  ) {
    guard let entry = entries[key] else { return }
    conclusion.deliveries.append(
      LoadDelivery(key: key, tokens: entry.tokens, result: result, run: run)
    )
    for derived in entry.derived { announce(result, of: run, for: derived, &conclusion) }
  }

  private mutating func end(_ key: LoadKey, with error: LoadError) {
    guard let entry = entries[key] else { return }
    for derived in entry.derived { end(derived, with: error) }
    entries[key]?.derived = []
    entries[key]?.input = nil
    entries[key]?.progress = LoadProgress()
    entries[key]?.phase = .ended(error)
    update(key)
  }

  func goesOnUnasked(_ entry: LoadEntry) -> Bool {
    configuration.finishesStartedLoads && !entry.isAbandoned
  }
}

/// The time of an event, with a random number drawn for it.
struct LoadMoment: Sendable {
  var now: ContinuousClock.Instant
  /// A random number from 0 to below 1.
  var chance: Double
}

/// The result of a load, for those who asked for it.
enum LoadResult: Sendable {
  case loaded(LoadedBlob)
  /// An attempt failed, and another one follows.
  case delayed(LoadFailure)
  /// It failed for good.
  case failed(LoadError)
}

/// A result, on its way to the bindings that asked.
struct LoadDelivery: Sendable {
  let key: LoadKey
  let tokens: [BindingToken]
  let result: LoadResult
  /// The run that produced it.
  ///
  /// Of two deliveries to one part, the one from the later run is newer, in whatever order they
  /// arrive.
  let run: LoadID

  /// The part of it for one list.
  func only(for list: ListID) -> LoadDelivery {
    LoadDelivery(key: key, tokens: tokens.filter { $0.list == list }, result: result, run: run)
  }
}

/// A load to retry once its delay is over.
struct LoadRetry: Hashable, Sendable {
  let key: LoadKey
  let failure: LoadFailure
  let delay: Duration
}

/// The consequences of a run that ended.
struct LoadConclusion: Sendable {
  /// Whether the result counts; a load that was no longer wanted has none.
  var isWanted: Bool
  /// Whether the run timed out before its worker was done, and was counted as failed.
  var isExpired = false
  var deliveries: [LoadDelivery] = []
  /// The loads to start in its place.
  var starts: [LoadStart] = []
  var retry: LoadRetry?
}
