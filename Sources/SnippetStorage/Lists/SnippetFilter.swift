public import Foundation

/// Which snippets a list holds.
///
/// Every condition that is set must hold. A list holds either what is in the trash or what is not,
/// never both.
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
  /// Whether to hold what is in the trash instead of what is not; not by default.
  public var isInTrash: Bool

  /// Sets conditions; each is open unless given.
  ///
  /// - Parameters:
  ///   - kinds: The kinds to hold.
  ///   - tags: Tags that a snippet must all carry.
  ///   - isPinned: Whether to hold only pinned snippets or only others.
  ///   - createdAt: When the snippet must have been made.
  ///   - isInTrash: Whether to hold what is in the trash instead of what is not.
  public init(
    kinds: Set<SnippetKind>? = nil,
    tags: Set<String> = [],
    isPinned: Bool? = nil,
    createdAt: Range<Date>? = nil,
    isInTrash: Bool = false
  ) {
    self.kinds = kinds
    self.tags = tags
    self.isPinned = isPinned
    self.createdAt = createdAt
    self.isInTrash = isInTrash
  }

  /// Holds every snippet that is not in the trash.
  public static let all = SnippetFilter()
  /// Holds every snippet that is in the trash.
  public static let trash = SnippetFilter(isInTrash: true)
}
