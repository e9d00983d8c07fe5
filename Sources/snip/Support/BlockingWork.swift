import SnippetStore

/// Runs work that blocks apart from the main thread, and from Swift's own.
enum BlockingWork {
  private static let threads = BlockingQueues(label: "snip.blocking")

  /// Does work on a thread that may wait for a disk.
  ///
  /// - Parameter work: The work.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  static func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      threads.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }
}
