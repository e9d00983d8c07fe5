/// A stage of a purge.
public enum PurgeStage: Sendable, Hashable {
  /// Deleting what is in the trash.
  case deleting
  /// Taking deleted words out of the search index.
  case mergingSearchIndex
  /// Writing the file anew, or giving its free pages back.
  case rewriting
}

/// The outcome of a purge.
public struct PurgeReport: Sendable, Hashable {
  /// The number of snippets that were deleted from the trash.
  public var deletedCount: Int
  /// Whether the whole file was written anew.
  public var rewroteFile: Bool
  /// The bytes of the log that could not be emptied, and may hold deleted content.
  ///
  /// More than 0 when another program was reading or writing. Purge again later.
  public var remainingLogByteCount: Int64

  /// Whether no trace of what was deleted is left in the file and its log.
  public var isComplete: Bool { rewroteFile && remainingLogByteCount == 0 }
}
