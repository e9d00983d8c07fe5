internal import SnippetStore

/// Times the work that another executor runs, from the moment it was handed over until it is done.
///
/// That is what a row has to be asked for ahead: the wait for a thread is part of it.
struct TimedLoadExecutor: LoadExecutor {
  private let base: any LoadExecutor
  private let now: @Sendable () -> ContinuousClock.Instant
  private let serviceTime = Lock(ServiceTime())

  init(_ base: any LoadExecutor, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.base = base
    self.now = now
  }

  /// How long a piece of work takes on average; `nil` as long as none has ended.
  var meanServiceTime: Duration? { serviceTime.withLock(\.mean) }

  func execute(_ work: @escaping @Sendable () -> Void) {
    let start = now()
    base.execute {
      work()
      let duration = start.duration(to: now())
      serviceTime.withLock { $0.add(duration) }
    }
  }
}
