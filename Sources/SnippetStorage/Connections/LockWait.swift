import Foundation
import GRDB
import SnippetBase

/// Waits for the write lock while another process writes.
///
/// After some time, SQLite's own waiting only looks at the lock every 100 milliseconds. A busy
/// writer frees the lock for shorter moments between its transactions, so SQLite could miss it for
/// seconds.
struct LockWait: Sendable {
  /// The longest wait before giving up.
  let timeout: Duration
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  var sleep: @Sendable (Duration) -> Void = { Thread.sleep(forTimeInterval: $0.seconds) }

  private static let longestPause = Duration.milliseconds(10)

  /// This way of waiting, for a connection.
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
