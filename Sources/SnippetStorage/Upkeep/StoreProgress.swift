/// The progress of work on the whole store.
public struct StoreProgress: Sendable, Hashable {
  /// The number of bytes that are done.
  public var completedByteCount: Int64
  /// The number of bytes in all.
  public var totalByteCount: Int64
}
