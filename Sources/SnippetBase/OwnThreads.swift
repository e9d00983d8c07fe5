/// Threads for work that blocks, so that none of Swift's few threads ever waits for a disk.
package enum OwnThreads {
  private static let queue = BlockingQueues(label: "SnippetStorage.blocking")

  /// Runs `body` on a thread that may block.
  package static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async
    -> Result
  {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }

  /// Starts `body` on a thread that may block, without waiting for it.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    queue.async(body)
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
        queue.async { continuation.resume(with: Swift.Result { try body(flag) }) }
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
