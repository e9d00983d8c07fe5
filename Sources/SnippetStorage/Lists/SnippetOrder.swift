/// What a list is ordered by.
///
/// Snippets that compare equal follow in the order of their identifiers.
public struct SnippetOrder: Sendable, Hashable {
  /// What is compared.
  public enum Key: String, Codable, Sendable, CaseIterable {
    /// When the snippet was made.
    case created
    /// When the snippet was last changed.
    case modified
    /// The title, by the codes of its characters; the case of ASCII letters is ignored.
    case title
    /// The size of the content in bytes.
    case size
    /// When the snippet was moved to the trash.
    ///
    /// Snippets outside the trash are ordered by when they were made.
    case deleted
  }

  /// What is compared.
  public var key: Key
  /// Whether the greatest comes first.
  public var isDescending: Bool

  /// Orders by a key.
  ///
  /// - Parameters:
  ///   - key: What is compared.
  ///   - isDescending: Whether the greatest comes first; not by default.
  public init(by key: Key, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }

  /// The latest made first.
  public static let newestFirst = SnippetOrder(by: .created, isDescending: true)
  /// The earliest made first.
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
