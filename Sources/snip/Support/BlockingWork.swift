import SnippetStore

/// Runs work that blocks apart from the main thread, and from Swift's own.
enum BlockingWork {
  private static let threads = BlockingQueues(label: "snip.blocking")

  /// Lets work be done on a thread that may wait, without waiting for it.
  ///
  /// - Parameter work: The work.
  static func start(_ work: @escaping @Sendable () -> Void) {
    threads.async(work)
  }

  /// Does work on a thread that may wait for a disk.
  ///
  /// Concurrent, because Swift 6.3 in a release build forgets to take a caller that begins with an
  /// await back to the main actor otherwise.
  ///
  /// - Parameter work: The work.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  @concurrent
  static func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      threads.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }
}
