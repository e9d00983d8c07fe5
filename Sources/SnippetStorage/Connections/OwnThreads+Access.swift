package import SnippetBase

extension OwnThreads {
  /// Runs `body` on a thread that may block, unless the task has been cancelled by then, and makes
  /// every failure one of ours.
  ///
  /// - Parameters:
  ///   - operation: What it is for.
  ///   - body: The work; what it is given throws once the task is cancelled.
  /// - Returns: What `body` returns.
  /// - Throws: ``SnippetStoreError``.
  package static func run<Result: Sendable>(
    to operation: String,
    _ body: @escaping @Sendable (_ check: @escaping () throws -> Void) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    do {
      return try await run(cancellable: { flag in
        try flag.check()
        return try body(flag.check)
      })
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }
}
