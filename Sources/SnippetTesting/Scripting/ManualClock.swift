import SnippetBase

/// A clock that stands still until a test advances it.
public final class ManualClock: Sendable {
  private let instant = Lock(ContinuousClock.now)

  /// Makes a clock that shows the present time.
  public init() {}

  /// The time on the clock.
  public var now: ContinuousClock.Instant { instant.withLock { $0 } }

  /// Advances the clock.
  ///
  /// - Parameter duration: The time to add.
  public func advance(by duration: Duration) {
    instant.withLock { $0 += duration }
  }
}
