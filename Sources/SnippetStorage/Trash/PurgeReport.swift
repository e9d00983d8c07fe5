/// The outcome of a purge.
public struct PurgeReport: Sendable, Hashable {
  /// The number of snippets that were deleted from the trash.
  public var deletedCount: Int
  /// Whether the whole file was rewritten.
  public var rewroteFile: Bool
  /// The bytes of the log that could not be emptied, and may hold deleted content.
  ///
  /// It is more than 0 if another program was reading or writing. Purge again later.
  public var remainingLogByteCount: Int64

  /// Whether the file and its log hold no trace of deleted content.
  public var isComplete: Bool { rewroteFile && remainingLogByteCount == 0 }
}
