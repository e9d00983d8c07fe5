import SnippetBase

extension LoadCoordinator {
  /// What is known of loads and blobs, and what each event makes of it.
  ///
  /// It calls nothing of the app's: it is changed under the lock of its coordinator.
  struct State {
    var table: LoadTable
    var cache: BlobCache<RecencyOrder>
    var failures: FailureMemory
    var counters = LoaderCounters()
    var random: SplitMix64
    var serviceTime = ServiceTime()
    var isClosed = false

    /// Keeps what was loaded if it is still wanted.
    mutating func keep(_ result: Result<LoadedBlob, LoadError>, of start: LoadStart) -> LoadReading
    {
      switch result {
      case .failure(let error):
        return .failed(error)
      case .success(let blob):
        // What is only needed to make something else of would push out what is needed for itself.
        guard table.isWanted(start.id), table.isAskedForItself(start.id) else {
          return .loaded(blob, isKept: false)
        }
        return .loaded(blob, isKept: cache.insert(blob))
      }
    }

    /// The failure that is known of a load, or of what it would have to be made from.
    func knownFailure(
      of key: LoadKey,
      at now: ContinuousClock.Instant,
      by rules: RecipeRules
    ) -> LoadFailure? {
      var key = key
      while true {
        if let failure = failures.failure(of: key, at: now) { return failure }
        guard let input = rules.input(of: key), !cache.contains(input) else { return nil }
        key = input
      }
    }

    mutating func forgetDelay(of key: LoadKey) -> [LoadStart] {
      let cache = cache
      return table.forgetDelay(of: key) { cache.peek($0) }
    }

    mutating func forgetFailures() -> [LoadStart] {
      failures.removeAll()
      return Array(table.entries.keys).flatMap { forgetDelay(of: $0) }
    }

    mutating func count(_ result: Result<LoadedBlob, LoadError>, _ conclusion: LoadConclusion) {
      switch result {
      case _ where conclusion.isExpired:
        break
      case _ where !conclusion.isWanted:
        counters.loadsCancelled += 1
      case .failure:
        counters.loadsFailed += 1
        if conclusion.retry != nil { counters.loadsDelayed += 1 }
      case .success(let blob):
        counters.loadsFinished += 1
        counters.bytesLoaded += blob.bytes.count
      }
    }

    mutating func remember(_ deliveries: [LoadDelivery], at now: ContinuousClock.Instant) {
      for delivery in deliveries {
        guard case .failed(let failure) = delivery.result else { continue }
        failures.remember(failure, of: delivery.key, at: now)
      }
    }
  }
}
