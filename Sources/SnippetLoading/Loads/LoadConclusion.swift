/// The outcome of a run of a load.
enum LoadReading: Sendable {
  /// The blob is here, whether in the cache or not.
  case loaded(LoadedBlob, isKept: Bool)
  /// The run failed.
  case failed(LoadError)
}

/// The time of an event, with a random number drawn for it.
struct LoadMoment: Sendable {
  var now: ContinuousClock.Instant
  /// Returns a number from 0 to below 1.
  var chance: Double
}

/// The result of a load, for those who asked for it.
enum LoadResult: Sendable {
  case loaded(LoadedBlob)
  /// An attempt failed, and another one follows.
  case delayed(LoadFailure)
  /// The load failed for good.
  case failed(LoadFailure)
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
