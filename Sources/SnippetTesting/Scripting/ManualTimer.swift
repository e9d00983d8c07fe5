import SnippetBase

/// Keeps alarms until the clock of a test reaches their time.
public final class ManualTimer: Sendable {
  private struct Alarm {
    let time: ContinuousClock.Instant
    let work: @Sendable () -> Void
  }

  private let clock: ManualClock
  private let alarms = Lock<[Alarm]>([])

  /// Makes a timer without any alarm.
  ///
  /// - Parameter clock: Tells the time.
  public init(clock: ManualClock) {
    self.clock = clock
  }

  /// The number of waiting alarms.
  public var pendingCount: Int { alarms.withLock(\.count) }

  package func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    let time = clock.now + delay
    alarms.withLock { $0.append(Alarm(time: time, work: work)) }
  }

  /// Runs the alarms that are due, the earliest first.
  public func runDue() {
    let now = clock.now
    let due = alarms.withLock { alarms in
      let due = alarms.filter { $0.time <= now }.sorted { $0.time < $1.time }
      alarms.removeAll { $0.time <= now }
      return due
    }
    for alarm in due { alarm.work() }
  }

  /// Advances the clock until no alarm is waiting.
  public func runAll() {
    while let next = alarms.withLock({ $0.map(\.time).min() }) {
      if next > clock.now { clock.advance(by: next - clock.now) }
      runDue()
    }
  }
}
