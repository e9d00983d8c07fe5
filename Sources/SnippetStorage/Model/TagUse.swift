/// A tag with the number of its snippets.
public struct TagUse: Sendable, Hashable {
  /// The tag.
  public var name: String
  /// The number of snippets that have it.
  public var snippetCount: Int
}
