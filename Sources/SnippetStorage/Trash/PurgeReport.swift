/// What a purge is doing.
public enum PurgeStage: Sendable, Hashable {
  /// Deleting what is in the trash.
  case deleting
  /// Taking deleted words out of the search index.
  case mergingSearchIndex
  /// Writing the file anew, or giving its free pages back.
  case rewriting
}

/// What a purge did.
public struct PurgeReport: Sendable, Hashable {
  /// How many snippets were deleted from the trash.
  public var deletedCount: Int
  /// Whether the whole file was written anew.
  public var rewroteFile: Bool
  /// How much of the log could not be emptied, in bytes: it may hold what was deleted.
  ///
  /// More than 0 when another program was reading or writing. Purge again later.
  public var remainingLogByteCount: Int64

  /// Whether no trace of what was deleted is left in the file and its log.
  public var isComplete: Bool { rewroteFile && remainingLogByteCount == 0 }
}
