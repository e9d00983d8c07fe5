import SnippetBase

/// A clock that stands still until a test moves it on.
public final class ManualClock: Sendable {
  private let instant = Lock(ContinuousClock.now)

  /// Makes a clock that shows the time of now.
  public init() {}

  /// The time on the clock.
  public var now: ContinuousClock.Instant { instant.withLock { $0 } }

  /// Moves the clock on.
  ///
  /// - Parameter duration: How far.
  public func advance(by duration: Duration) {
    instant.withLock { $0 += duration }
  }
}
