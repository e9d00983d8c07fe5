/// How far work on the whole store has come.
public struct StoreProgress: Sendable, Hashable {
  /// How many bytes are done.
  public var completedByteCount: Int64
  /// How many bytes there are to do.
  public var totalByteCount: Int64
}
