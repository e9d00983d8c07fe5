/// Remembers failures, so that a request repeated soon fails at once, and no source in trouble is
/// asked more often than the retry policy allows.
///
/// It holds a bounded number of failures; new ones push out the oldest.
struct FailureMemory: Sendable {
  private struct Known {
    var error: LoadError
    /// `nil` when the failure is permanent.
    var end: ContinuousClock.Instant?
    var number: UInt64
  }

  private static let capacity = 1_000

  private let duration: Duration
  private var knownByKey: [LoadKey: Known] = [:]
  private var lastNumber: UInt64 = 0

  /// Makes an empty memory.
  ///
  /// - Parameter duration: The time for which a temporary failure is remembered.
  init(duration: Duration) {
    self.duration = duration
  }

  /// The known error of a load.
  func error(of key: LoadKey, at now: ContinuousClock.Instant) -> LoadError? {
    guard let known = knownByKey[key] else { return nil }
    if let end = known.end, end <= now { return nil }
    return known.error
  }

  mutating func remember(_ error: LoadError, of key: LoadKey, at now: ContinuousClock.Instant) {
    lastNumber += 1
    let end = error.isRetryable ? now + duration : nil
    knownByKey[key] = Known(error: error, end: end, number: lastNumber)
    guard knownByKey.count > Self.capacity else { return }
    // Half at a time, so that each costs a constant on average.
    let oldest = lastNumber - UInt64(Self.capacity / 2)
    knownByKey = knownByKey.filter { $0.value.number > oldest }
  }

  mutating func forget(_ key: LoadKey) {
    knownByKey[key] = nil
  }

  mutating func removeAll() {
    knownByKey = [:]
  }
}
