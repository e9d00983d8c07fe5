/// The rules for retrying a failed load, and for remembering its failure.
///
/// Each delay is a multiple of the one before, to spare a source in trouble. It is shortened at
/// random, so that loads that failed together are not retried together. Errors that are not
/// ``LoadError/isRetryable`` are never retried.
public struct RetryPolicy: Hashable, Sendable {
  /// The most attempts, the first included.
  ///
  /// The default is 3, the least is 1.
  public var maximumAttemptCount: Int {
    didSet { maximumAttemptCount = max(1, maximumAttemptCount) }
  }

  /// The longest time from the first failure to the second attempt.
  ///
  /// The default is 200 ms.
  public var firstDelay: Duration {
    didSet { firstDelay = max(.zero, firstDelay) }
  }

  /// The factor by which each delay is longer than the one before.
  ///
  /// The default is 3, the least is 1.
  public var growth: Double {
    didSet { growth = growth >= 1 ? min(growth, 1_000) : 1 }
  }

  /// The longest delay.
  ///
  /// The default is 10 s.
  public var maximumDelay: Duration {
    didSet { maximumDelay = max(.zero, maximumDelay) }
  }

  /// The part of a delay that may be taken off at random, from 0 to 1.
  ///
  /// The default is a half.
  public var jitter: Double {
    didSet { jitter = jitter.isNaN ? 0 : min(max(0, jitter), 1) }
  }

  /// The time after the last attempt for which a retryable failure is remembered.
  ///
  /// A bind during that time fails at once.
  ///
  /// The default is 5 s. A failure that is not retryable is remembered without a time limit, though
  /// only as one of the last 1,000 failures.
  public var memory: Duration {
    didSet { memory = max(.zero, memory) }
  }

  /// Makes a policy with the defaults.
  public init() {
    maximumAttemptCount = 3
    firstDelay = .milliseconds(200)
    growth = 3
    maximumDelay = .seconds(10)
    jitter = 0.5
    memory = .seconds(5)
  }

  /// A single attempt, whose failure is remembered only if it is not retryable.
  public static let none: Self = {
    var policy = Self()
    policy.maximumAttemptCount = 1
    policy.memory = .zero
    return policy
  }()

  /// The time to wait after a failed attempt, shortened by a random number from 0 up to 1; `nil`
  /// when no attempt is left.
  func delay(afterAttempt attemptCount: Int, chance: Double) -> Duration? {
    guard attemptCount < maximumAttemptCount else { return nil }
    var seconds = firstDelay / .seconds(1)
    let longest = maximumDelay / .seconds(1)
    for _ in 1..<max(1, attemptCount) where seconds < longest {
      seconds *= growth
    }
    return .seconds(min(seconds, longest) * (1 - jitter * chance))
  }
}
