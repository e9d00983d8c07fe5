import Foundation
import GRDB
import SnippetBase

/// How the writer waits while another process writes.
///
/// SQLite's own waiting looks at the lock every 100 milliseconds once it has waited for a while.
/// Who writes much, one transaction after the other, leaves it free for shorter than that, and so
/// could be missed for seconds.
struct LockWait: Sendable {
  /// How long it waits before it gives up.
  let timeout: Duration
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  var sleep: @Sendable (Duration) -> Void = { Thread.sleep(forTimeInterval: $0.seconds) }

  private static let longestPause = Duration.milliseconds(10)

  /// The same for a connection.
  var mode: Database.BusyMode {
    let deadline = Lock(now())
    return .callback { tryCount in
      let now = self.now()
      let end = deadline.withLock { deadline in
        if tryCount == 0 { deadline = now + timeout }
        return deadline
      }
      guard now < end else { return false }
      sleep(min(.milliseconds(tryCount + 1), Self.longestPause, now.duration(to: end)))
      return true
    }
  }
}
