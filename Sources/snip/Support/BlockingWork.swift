import SnippetBase
import SnippetStorage

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
  /// Concurrent, because otherwise a caller on the main actor that begins with this call went on
  /// elsewhere: Swift 6.3.1 left out the way back in release builds.
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
