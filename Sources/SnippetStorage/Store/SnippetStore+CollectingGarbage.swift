import SnippetBase

extension SnippetStore {
  /// Removes orphans, and returns the free pages of the file to the file system.
  ///
  /// Deleting a snippet leaves no orphans, so this only finds leftovers of a crash or of another
  /// program: orphans, and the unfinished copies in its folder that killed backups, restores and
  /// salvages have left. New content uses freed pages, and only this call returns them to the file
  /// system. On return the file is as long as its content, unless a reader of an older state delays
  /// that. A folder that cannot be listed is not searched for copies, and the report says so.
  ///
  /// It works in steps that hold the write lock for about 15 milliseconds, with pauses in between.
  /// A single blob is one step, of about 65 milliseconds for each gigabyte. Cancelling ends the
  /// collection after a step, and keeps the finished steps.
  ///
  /// - Parameter onProgress: Receives the number of bytes returned so far, on a thread of the
  ///   store.
  /// - Returns: The leftovers found and removed.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled; `.readOnly`; `.busy`,
  ///   after which you can try again.
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
