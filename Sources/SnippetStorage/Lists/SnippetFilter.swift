public import Foundation

/// Conditions that select the snippets of a list.
///
/// All conditions that are set must hold. A list shows either the trash or everything else, never
/// both.
public struct SnippetFilter: Sendable, Hashable {
  /// The kinds to include; `nil`, the default, includes every kind.
  public var kinds: Set<SnippetKind>?
  /// The tags that a snippet must carry, all of them, each itself or one below it: `work` includes
  /// `work/berlin`.
  ///
  /// The case of ASCII letters is ignored. Empty by default. For a tag without those below it,
  /// narrow the filter by ``SearchQuery/tag(_:isExact:)``.
  public var tags: Set<String>
  /// Whether to include only pinned snippets (`true`) or only unpinned ones (`false`); `nil`, the
  /// default, includes both.
  public var isPinned: Bool?
  /// The range of the creation date, without its upper bound; `nil`, the default, includes every
  /// date.
  public var createdAt: Range<Date>?
  /// Whether to show the trash instead of everything else; `false` by default.
  public var isInTrash: Bool
  /// Further conditions, from queries that narrowed the filter; `nil`, the default, if there are
  /// none.
  ///
  /// See ``narrowed(by:)``.
  public internal(set) var query: SearchQuery?

  /// Makes a filter.
  ///
  /// An omitted condition is not checked.
  ///
  /// - Parameters:
  ///   - kinds: The kinds to include.
  ///   - tags: The tags that a snippet must carry.
  ///   - isPinned: Whether to include only pinned snippets or only unpinned ones.
  ///   - createdAt: The range of the creation date.
  ///   - isInTrash: Whether to show the trash instead of everything else.
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

  /// Every snippet outside the trash.
  public static let all = SnippetFilter()
  /// Every snippet in the trash.
  public static let trash = SnippetFilter(isInTrash: true)
}
