/// The progress of work on the whole store.
public struct StoreProgress: Sendable, Hashable {
  /// The number of bytes done.
  public var completedByteCount: Int64
  /// The total number of bytes.
  public var totalByteCount: Int64
}
