internal import Dispatch

/// Wakes the loader when a delay is over.
package protocol LoadTimer: Sendable {
  /// Runs a piece of work once a delay is over, on any thread but not within this call.
  ///
  /// - Parameters:
  ///   - delay: How long to wait.
  ///   - work: A few steps under a lock; it does not block.
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void)
}

/// Wakes the loader by the system's dispatch queues.
package struct DispatchLoadTimer: LoadTimer {
  /// Makes a timer; all of them use the same queue.
  package init() {}

  /// Runs a piece of work on a queue of the system once a delay is over.
  ///
  /// - Parameters:
  ///   - delay: How long to wait.
  ///   - work: What to do then.
  package func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    // A century is as good as never, and fits.
    let seconds = min(max(0, delay / .seconds(1)), 3e9)
    DispatchQueue.global(qos: .userInitiated)
      .asyncAfter(deadline: .now() + seconds, execute: work)
  }
}
