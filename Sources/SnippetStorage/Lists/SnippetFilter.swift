public import Foundation

/// Which snippets a list holds.
///
/// All conditions that are set must hold. A list shows either the trash or everything else, never
/// both.
public struct SnippetFilter: Sendable, Hashable {
  /// The kinds to hold; `nil`, the default, holds every kind.
  public var kinds: Set<SnippetKind>?
  /// Tags that a snippet must all carry, compared without regard to the case of ASCII letters;
  /// empty by default.
  public var tags: Set<String>
  /// Whether to hold only pinned snippets or only others; `nil`, the default, holds both.
  public var isPinned: Bool?
  /// When the snippet was made, from the lower bound to before the upper one; `nil`, the default,
  /// sets no bounds.
  public var createdAt: Range<Date>?
  /// Whether to hold the trash instead of everything else; no by default.
  public var isInTrash: Bool
  /// What else must hold, of queries that the filter was narrowed by; `nil`, the default, for
  /// nothing.
  ///
  /// See ``narrowed(by:)``.
  public internal(set) var query: SearchQuery?

  /// Sets conditions.
  ///
  /// What is not given is not checked.
  ///
  /// - Parameters:
  ///   - kinds: The kinds to hold.
  ///   - tags: Tags that a snippet must all carry.
  ///   - isPinned: Whether to hold only pinned snippets or only others.
  ///   - createdAt: When the snippet was made.
  ///   - isInTrash: Whether to hold the trash instead of everything else.
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
