/// The outcome of one draft.
///
/// A draft is reported once it is durable.
public enum SaveEvent: Sendable {
  /// The draft was saved.
  case saved(index: Int, SnippetID, byteCount: Int64)
  /// The draft was skipped, because a snippet has the same content.
  case duplicate(index: Int, of: SnippetID, byteCount: Int64)
  /// The draft could not be saved; the others are not affected.
  case failed(index: Int, SnippetStoreError)
}

/// The outcome of saving many drafts.
public struct SaveReport: Sendable, Hashable {
  /// The number of drafts that were saved.
  public var savedCount = 0
  /// The number of drafts that were skipped because a snippet has the same content.
  public var duplicateCount = 0
  /// The number of drafts that could not be saved.
  public var failedCount = 0
  /// The size of the saved content in bytes.
  public var byteCount: Int64 = 0

  /// Makes an empty report.
  public init() {}
}
