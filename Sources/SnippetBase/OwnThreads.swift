import Dispatch

/// Threads for work that blocks, so that none of Swift's few threads ever waits for a disk.
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

  /// Runs `body` on a thread that may block, and throws what it throws.
  ///
  /// Concurrent, because otherwise a caller on the main actor that begins with this call goes on
  /// elsewhere: in release builds, Swift 6.3.1 leaves out the way back.
  @concurrent
  package static func result<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await run { Swift.Result { () throws(Failure) in try body() } }.get()
  }

  /// Runs `body` on a thread that may block; tells it through the flag when the task is cancelled.
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

/// Says to work on another thread that nobody waits for it any more.
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

/// Runs work that blocks, each piece on a thread that nothing else waits for.
///
/// As many serial queues as there is work at a time, made when they are first needed. A concurrent
/// queue would be simpler, but takes its threads from the pool that Swift's own tasks run on, and
/// on Linux that pool has no more threads than the machine has cores: work that blocks there would
/// stop both each other and every task. A serial queue is given a thread beyond that number.
private struct BlockingQueues: Sendable {
  private let idle = Lock<[DispatchQueue]>([])

  /// Runs a piece of work soon, outside of this call, at the same time as others, and passes on its
  /// result.
  ///
  /// The queue counts as idle before that. A caller that waits for the result often has more work,
  /// which then finds this thread awake: to wake another takes longer than to read a small blob.
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
