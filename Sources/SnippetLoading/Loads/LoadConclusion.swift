/// What came of a run of a load.
enum LoadReading: Sendable {
  /// The blob is here, and in the cache or not.
  case loaded(LoadedBlob, isKept: Bool)
  /// It could not be had.
  case failed(LoadError)
}

/// The time at which something happens, and the chance that goes with it.
struct LoadMoment: Sendable {
  var now: ContinuousClock.Instant
  /// Returns a number from 0 to below 1.
  var chance: Double
}

/// What those who asked for a load are told.
enum LoadResult: Sendable {
  case loaded(LoadedBlob)
  /// An attempt failed, and another one follows.
  case delayed(LoadFailure)
  /// It failed for good.
  case failed(LoadFailure)
}

/// A result, on its way to the bindings that asked.
struct LoadDelivery: Sendable {
  let key: LoadKey
  let tokens: [BindingToken]
  let result: LoadResult
  /// The run that it came of.
  ///
  /// Of two deliveries to one part, that of the later run is the newer one, in whatever order they
  /// arrive.
  let run: LoadID

  /// The part that concerns one list.
  func only(for list: ListID) -> LoadDelivery {
    LoadDelivery(key: key, tokens: tokens.filter { $0.list == list }, result: result, run: run)
  }
}

/// A load to be tried again when its delay is over.
struct LoadRetry: Hashable, Sendable {
  let key: LoadKey
  let failure: LoadFailure
  let delay: Duration
}

/// What to do after a run of a load ended.
struct LoadConclusion: Sendable {
  /// Whether the result counts; a load that was not wanted any more has none.
  var isWanted: Bool
  /// Whether the run was over before its worker was done, and has been counted as failed.
  var isExpired = false
  var deliveries: [LoadDelivery] = []
  /// The loads to start in its place.
  var starts: [LoadStart] = []
  var retry: LoadRetry?
}
