/// The outcome of a garbage collection: what it found and removed.
public struct GarbageReport: Sendable, Hashable {
  /// The number of blobs that no snippet used.
  public var blobCount = 0
  /// The number of chunks without a blob, for example of a file that was being saved when its
  /// program ended.
  public var chunkCount = 0
  /// The number of texts without a snippet.
  public var textCount = 0
  /// The number of tags, and marks of tags, without a snippet.
  public var tagCount = 0
  /// The number of origins without a snippet, and of their folders without an origin.
  public var originCount = 0
  /// The number of derivatives without a blob.
  public var derivativeCount = 0
  /// The bytes that were free and went back to the file system.
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
