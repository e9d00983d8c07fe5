import SnippetBase
import SnippetTesting

/// Cancels a task from within its work, at a moment that the test chooses.
package final class Canceller: Sendable {
  private let action = Lock<(@Sendable () -> Void)?>(nil)

  package init() {}

  /// Runs `body` in a task of its own, which ``cancel()`` cancels.
  @discardableResult
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let begun = Gate()
    let task = Task {
      await begun.untilOpen()
      return try await body()
    }
    action.withLock { $0 = { task.cancel() } }
    begun.open()
    return try await task.value
  }

  /// Cancels the task; on return the task is marked as cancelled.
  package func cancel() {
    action.withLock { $0 }?()
  }
}
