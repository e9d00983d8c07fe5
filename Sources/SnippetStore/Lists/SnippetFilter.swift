public import Foundation

/// Which snippets a list holds.
///
/// Every condition that is set must hold.
public struct SnippetFilter: Sendable, Hashable {
  /// The kinds to hold; `nil`, the default, holds every kind.
  public var kinds: Set<SnippetKind>?
  /// Tags that a snippet must all carry, compared without regard to the case of ASCII letters;
  /// empty by default.
  public var tags: Set<String>
  /// Whether to hold only pinned snippets or only others; `nil`, the default, holds both.
  public var isPinned: Bool?
  /// When the snippet must have been made, from the lower bound to before the upper one; `nil`,
  /// the default, sets no bounds.
  public var createdAt: Range<Date>?

  /// Sets conditions; each is open unless given.
  ///
  /// - Parameters:
  ///   - kinds: The kinds to hold.
  ///   - tags: Tags that a snippet must all carry.
  ///   - isPinned: Whether to hold only pinned snippets or only others.
  ///   - createdAt: When the snippet must have been made.
  public init(
    kinds: Set<SnippetKind>? = nil,
    tags: Set<String> = [],
    isPinned: Bool? = nil,
    createdAt: Range<Date>? = nil
  ) {
    self.kinds = kinds
    self.tags = tags
    self.isPinned = isPinned
    self.createdAt = createdAt
  }

  /// Holds every snippet.
  public static let all = SnippetFilter()
}
