/// A tag and how often it is used.
public struct TagUse: Sendable, Hashable {
  /// The tag.
  public var name: String
  /// The number of snippets that have it.
  public var snippetCount: Int
}
