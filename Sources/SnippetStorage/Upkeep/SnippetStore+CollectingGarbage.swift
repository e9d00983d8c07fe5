import SnippetBase

extension SnippetStore {
  /// What a collection of garbage found and removed.
  public struct GarbageReport: Sendable, Hashable {
    /// How many blobs no snippet used.
    public var blobCount = 0
    /// How many chunks belonged to no blob: those of a file that was being saved when its program
    /// ended, say.
    public var chunkCount = 0
    /// How many texts belonged to no snippet.
    public var textCount = 0
    /// How many tags no snippet carried, and marks of tags that joined nothing.
    public var tagCount = 0
    /// How many derivatives belonged to no blob.
    public var derivativeCount = 0
    /// How much of the file was free and went back to the file system, in bytes.
    public var freedByteCount: Int64 = 0
    /// The longest that others who write had to wait for a step.
    public var longestStep = Duration.zero

    /// Whether there was nothing that nothing refers to; free pages are no garbage.
    public var isClean: Bool {
      blobCount + chunkCount + textCount + tagCount + derivativeCount == 0
    }
  }

  /// Removes what nothing refers to, and gives the free pages of the file back to the file system.
  ///
  /// Deleting a snippet removes all that is its own at once; what is left to find is what a crash or
  /// another program left. The pages that deletions have freed are used for new content, and go back
  /// to the file system only here: on return the file is as long as what it holds, unless a reader
  /// of an older state keeps that until it is done.
  ///
  /// All is done in steps that hold the write lock for some 15 milliseconds, with pauses between; but
  /// a single blob goes in one, at some 65 milliseconds for each gigabyte. Cancelling ends it after a
  /// step, and nothing of it is lost.
  ///
  /// - Parameter onProgress: Told how many free bytes have gone back, on a thread of the store.
  /// - Returns: What was found and removed.
  /// - Throws: ``SnippetStoreError``; `.cancelled` when the task was; `.readOnly`; `.busy`, which can
  ///   be tried again.
  /// - Complexity: O(*n*) in the number of rows, without reading any blob, plus O(*m*) for *m* free
  ///   pages.
  @discardableResult
  public func collectGarbage(
    onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> GarbageReport {
    let operation = "collect garbage"
    let (connections, uses, configuration) = (connections, derivativeUses, configuration)
    do {
      return try await OwnThreads.run(cancellable: { flag in
        var collection = GarbageCollection(
          connections: connections,
          derivativeUses: uses,
          operation: operation,
          check: flag.check,
          report: onProgress
        )
        return try collection.run(derivativeByteLimit: configuration.derivativeByteLimit)
      })
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }
}
