import SnippetBase
internal import SnippetLoading
internal import SnippetStorage

/// Time that moves when it is told to.
package final class ManualClock: Sendable {
  private let instant = Lock(ContinuousClock.now)

  package init() {}

  package var now: ContinuousClock.Instant { instant.withLock { $0 } }

  package func advance(by duration: Duration) {
    instant.withLock { $0 += duration }
  }
}
