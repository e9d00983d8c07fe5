/// An edit: what somebody wants changed of one snippet.
///
/// What is `nil` or empty stays as it is.
public struct SnippetEdit: Sendable, Hashable {
  /// The new title, under the rules of ``SnippetDraft/title``.
  public var title: String?
  /// The new text; only a text snippet takes one.
  public var text: String?
  /// Whether to pin the snippet.
  public var isPinned: Bool?
  /// Tags to add, under the rules of ``SnippetDraft/tags``.
  public var addedTags: [String]
  /// Tags to take off; one that the snippet does not carry is ignored.
  public var removedTags: [String]

  /// Describes an edit; what is not given stays as it is.
  ///
  /// - Parameters:
  ///   - title: The new title.
  ///   - text: The new text.
  ///   - isPinned: Whether to pin the snippet.
  ///   - addedTags: Tags to add.
  ///   - removedTags: Tags to remove.
  public init(
    title: String? = nil,
    text: String? = nil,
    isPinned: Bool? = nil,
    addedTags: [String] = [],
    removedTags: [String] = []
  ) {
    self.title = title
    self.text = text
    self.isPinned = isPinned
    self.addedTags = addedTags
    self.removedTags = removedTags
  }
}
