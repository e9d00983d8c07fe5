/// The order of a list.
///
/// Snippets that compare equal are ordered by their identifiers.
public struct SnippetOrder: Sendable, Hashable {
  /// The property to compare.
  public enum Key: String, Codable, Sendable, CaseIterable {
    /// The time at which the snippet was made.
    case created
    /// The time of the last change.
    case modified
    /// The title, by the code points of its characters; the case of ASCII letters is ignored.
    case title
    /// The size of the content in bytes.
    case size
    /// The time at which the snippet was moved to the trash.
    ///
    /// Outside the trash, snippets are ordered by creation instead.
    case deleted
  }

  /// The property to compare.
  public var key: Key
  /// Whether the greatest value comes first.
  public var isDescending: Bool

  /// Makes an order.
  ///
  /// - Parameters:
  ///   - key: The property to compare.
  ///   - isDescending: Whether the greatest value comes first; `false` by default.
  public init(by key: Key, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }

  /// The newest first.
  public static let newestFirst = SnippetOrder(by: .created, isDescending: true)
  /// The oldest first.
  public static let oldestFirst = SnippetOrder(by: .created)
  /// The latest changed first.
  public static let recentlyModifiedFirst = SnippetOrder(by: .modified, isDescending: true)
  /// The latest moved to the trash first.
  public static let recentlyDeletedFirst = SnippetOrder(by: .deleted, isDescending: true)
  /// The largest first.
  public static let largestFirst = SnippetOrder(by: .size, isDescending: true)
  /// By title, A first.
  public static let byTitle = SnippetOrder(by: .title)
}

// The key is a word. The encoded form stays the same from one version of the package to the next.
extension SnippetOrder: Codable {
  /// Decodes an order.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError`, also for an unknown key.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      by: try container.decode(Key.self, forKey: .key),
      isDescending: try container.decodeIfPresent(Bool.self, forKey: .isDescending) ?? false
    )
  }
}
