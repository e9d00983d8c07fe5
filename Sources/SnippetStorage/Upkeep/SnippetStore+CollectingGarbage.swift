import SnippetBase

extension SnippetStore {
  /// The result of garbage collection.
  public struct GarbageReport: Sendable, Hashable {
    /// The number of blobs without a snippet.
    public var blobCount = 0
    /// The number of chunks without a blob, for example from a save that a crash cut off.
    public var chunkCount = 0
    /// The number of texts without a snippet.
    public var textCount = 0
    /// The number of tags without a snippet, and of assignments to missing snippets.
    public var tagCount = 0
    /// The number of origins without a snippet, and of folders without an origin.
    public var originCount = 0
    /// The number of derivatives without a blob.
    public var derivativeCount = 0
    /// The number of free bytes returned to the file system.
    public var freedByteCount: Int64 = 0
    /// The longest time for which a step made other writers wait.
    public var longestStep = Duration.zero

    /// Whether there were no orphans.
    ///
    /// Free pages do not count.
    public var isClean: Bool {
      blobCount + chunkCount + textCount + tagCount + originCount + derivativeCount == 0
    }
  }

  /// Removes orphans, and returns the free pages of the file to the file system.
  ///
  /// Deleting a snippet leaves no orphans, so this only finds leftovers of a crash or of another
  /// program. New content uses freed pages, and only this call returns them to the file system. On
  /// return the file is as long as its content, unless a reader of an older state delays that.
  ///
  /// It works in steps that hold the write lock for about 15 milliseconds, with pauses in between.
  /// A single blob is one step, of about 65 milliseconds for each gigabyte. Cancelling ends the
  /// collection after a step, and keeps the finished steps.
  ///
  /// - Parameter onProgress: Receives the number of bytes returned so far, on a thread of the
  ///   store.
  /// - Returns: The orphans found and removed.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled; `.readOnly`; `.busy`,
  ///   after which you can try again.
  /// - Complexity: O(*n*) in the number of rows, without reading any blob, plus O(*m*) for *m* free
  ///   pages.
  @discardableResult
  public func collectGarbage(
    onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
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
