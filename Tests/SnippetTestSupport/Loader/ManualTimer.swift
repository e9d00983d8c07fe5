import SnippetBase
internal import SnippetLoading
internal import SnippetStorage

/// Keeps what waits for a time until the clock of a test has come to it.
package final class ManualTimer: LoadTimer {
  private struct Alarm {
    let time: ContinuousClock.Instant
    let work: @Sendable () -> Void
  }

  private let clock: ManualClock
  private let alarms = Lock<[Alarm]>([])

  package init(clock: ManualClock) {
    self.clock = clock
  }

  /// How much waits for its time.
  package var pendingCount: Int { alarms.withLock(\.count) }

  package func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    let time = clock.now + delay
    alarms.withLock { $0.append(Alarm(time: time, work: work)) }
  }

  /// Runs what is due, the earliest first.
  package func runDue() {
    let now = clock.now
    let due = alarms.withLock { alarms in
      let due = alarms.filter { $0.time <= now }.sorted { $0.time < $1.time }
      alarms.removeAll { $0.time <= now }
      return due
    }
    for alarm in due { alarm.work() }
  }

  /// Moves the clock on until nothing waits any more.
  package func runAll() {
    while let next = alarms.withLock({ $0.map(\.time).min() }) {
      if next > clock.now { clock.advance(by: next - clock.now) }
      runDue()
    }
  }
}
