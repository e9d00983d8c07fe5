package import SnippetBase

extension OwnThreads {
  /// Runs `body` on a thread that may block, unless the task is already cancelled, and converts
  /// errors.
  ///
  /// - Parameters:
  ///   - operation: The operation, for errors.
  ///   - body: The work. The closure it receives throws once the task is cancelled.
  /// - Returns: The result of `body`.
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
