import SnippetBase
import SnippetStorage
import SnippetTesting

/// Cancels a task from inside the work that it does, at a moment of the test's choice.
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

  /// Cancels the task; on return it knows.
  package func cancel() {
    action.withLock { $0 }?()
  }
}
