/// What a collection of garbage found and removed.
public struct GarbageReport: Sendable, Hashable {
  /// How many blobs no snippet used.
  public var blobCount = 0
  /// How many chunks belonged to no blob: those of a file that was being saved when its program
  /// ended, say.
  public var chunkCount = 0
  /// How many texts belonged to no snippet.
  public var textCount = 0
  /// How many tags and marks of tags belonged to no snippet.
  public var tagCount = 0
  /// How many origins belonged to no snippet, and how many of their folders held none.
  public var originCount = 0
  /// How many derivatives belonged to no blob.
  public var derivativeCount = 0
  /// How much of the file was free and went back to the file system, in bytes.
  public var freedByteCount: Int64 = 0
  /// The longest that other writers had to wait for a step.
  public var longestStep = Duration.zero

  /// Whether there were no orphans.
  ///
  /// Free pages do not count.
  public var isClean: Bool {
    blobCount + chunkCount + textCount + tagCount + originCount + derivativeCount == 0
  }
}
