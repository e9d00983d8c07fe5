import SnipCore
import TerminalKit

/// What a command has to work with.
struct CommandContext: Sendable {
  let console: Console
  let interrupts: Interrupts
  let stores: OpenStores
  let environment: [String: String]
}

extension CommandContext {
  /// Does work that ends early when the user asks the program to end.
  ///
  /// - Parameter work: The work; its task is cancelled at the first Ctrl-C.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  func cancellable<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    interrupts.whenRequested { task.cancel() }
    return try await task.value
  }
}
