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
