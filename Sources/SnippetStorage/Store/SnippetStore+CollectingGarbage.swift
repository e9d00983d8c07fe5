import SnippetBase

extension SnippetStore {
  /// Removes orphans, and gives the free pages of the file back to the file system.
  ///
  /// Deleting a snippet leaves no orphans, so this finds only what a crash or another program left.
  /// Freed pages are used for new content, and go back to the file system only here. On return the
  /// file is as long as its content, unless a reader of an older state delays that.
  ///
  /// It works in steps that hold the write lock for about 15 milliseconds, with pauses between; a
  /// single blob is one step, of about 65 milliseconds for each gigabyte. Cancelling ends it after
  /// a step, and keeps what was done.
  ///
  /// - Parameter onProgress: Told how many free bytes have gone back, on a thread of the store.
  /// - Returns: What was found and removed.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was; `.readOnly`; `.busy`, which
  ///   can be tried again.
  /// - Complexity: O(*n*) in the number of rows, without reading any blob, plus O(*m*) for *m* free
  ///   pages.
  @discardableResult
  public func collectGarbage(
    onProgress: @escaping @Sendable (StoreProgress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> GarbageReport {
    let operation = "collect garbage"
    let (connections, uses, configuration) = (connections, derivativeUses, configuration)
    return try await OwnThreads.run(to: operation) { check in
      var collection = GarbageCollection(
        connections: connections,
        derivativeUses: uses,
        operation: operation,
        check: check,
        report: onProgress
      )
      return try connections.lendingReserve {
        try collection.run(derivativeByteLimit: configuration.derivativeByteLimit)
      }
    }
  }
}
