import Dispatch

/// Threads for blocking work, so that Swift's few threads never wait for a disk.
package enum OwnThreads {
  private static let queues = BlockingQueues()

  /// Runs `body` on a thread that may block.
  package static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async
    -> Result
  {
    await withCheckedContinuation { continuation in
      queues.async(body) { continuation.resume(returning: $0) }
    }
  }

  /// Starts `body` on a thread that may block, without waiting for it.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    queues.async(body) {}
  }

  /// Runs `body` on a thread that may block, and rethrows its errors.
  ///
  /// `@concurrent` works around Swift 6.3.1: in release builds, a caller on the main actor that
  /// begins with this call would otherwise continue on another thread.
  @concurrent
  package static func result<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await run { Swift.Result { () throws(Failure) in try body() } }.get()
  }

  /// Runs `body` on a thread that may block.
  ///
  /// The flag tells it when the task is cancelled.
  package static func run<Result: Sendable>(
    cancellable body: @escaping @Sendable (CancellationFlag) throws -> Result
  ) async throws -> Result {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queues.async({ Swift.Result { try body(flag) } }) { continuation.resume(with: $0) }
      }
    } onCancel: {
      flag.cancel()
    }
  }
}

/// Tells work on another thread that its result is no longer needed.
package final class CancellationFlag: Sendable {
  private let cancelled = Lock(false)

  package init() {}

  package var isCancelled: Bool { cancelled.withLock { $0 } }

  package func cancel() {
    cancelled.withLock { $0 = true }
  }

  package func check() throws {
    if isCancelled { throw CancellationError() }
  }
}

/// Runs blocking work, each piece on a thread that no other work waits for.
///
/// There are as many serial queues as pieces of work at a time, made on demand. A concurrent queue
/// would be simpler, but takes its threads from the pool of Swift's tasks, which on Linux has only
/// as many threads as the machine has cores. Blocking work there would stop itself and every task.
/// A serial queue gets a thread beyond that number.
private struct BlockingQueues: Sendable {
  private let idle = Lock<[DispatchQueue]>([])

  /// Runs work soon, outside of this call and in parallel with others, and passes on its result.
  ///
  /// The queue becomes idle before that. A caller that waits for the result often has more work,
  /// which then finds this thread awake: waking another takes longer than reading a small blob.
  func async<Result>(
    _ work: @escaping @Sendable () -> Result,
    then finish: @escaping @Sendable (Result) -> Void
  ) {
    let queue =
      idle.withLock { $0.popLast() }
      ?? DispatchQueue(
        label: "Snippets.blocking",
        qos: .userInitiated,
        autoreleaseFrequency: .workItem
      )
    queue.async { [idle] in
      let result = work()
      idle.withLock { $0.append(queue) }
      finish(result)
    }
  }
}
