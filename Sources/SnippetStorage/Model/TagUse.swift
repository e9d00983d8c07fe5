/// A tag and how often it is used.
public struct TagUse: Sendable, Hashable {
  /// The tag.
  public var name: String
  /// How many snippets have it.
  public var snippetCount: Int
}
