internal import Dispatch

/// Wakes the loader when a delay is over.
public protocol LoadTimer: Sendable {
  /// Runs a piece of work once a delay is over, on any thread but not within this call.
  ///
  /// - Parameters:
  ///   - delay: How long to wait.
  ///   - work: A few steps under a lock; it does not block.
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void)
}

/// Wakes the loader by the system's dispatch queues.
public struct DispatchLoadTimer: LoadTimer {
  /// Makes a timer; all of them use the same queue.
  public init() {}

  /// Runs a piece of work on a queue of the system once a delay is over.
  ///
  /// - Parameters:
  ///   - delay: How long to wait.
  ///   - work: What to do then.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    let nanoseconds = Int(clamping: Int64(delay / .nanoseconds(1)))
    DispatchQueue.global(qos: .userInitiated)
      .asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
  }
}
