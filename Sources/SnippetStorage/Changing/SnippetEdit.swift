/// An edit of one snippet.
///
/// A field that is `nil` or empty stays as it is.
public struct SnippetEdit: Sendable, Hashable {
  /// The new title; the rules of ``SnippetDraft/title`` apply.
  public var title: String?
  /// The new text; only for a text snippet.
  public var text: String?
  /// Whether to pin or unpin the snippet.
  public var isPinned: Bool?
  /// Tags to add; the rules of ``SnippetDraft/tags`` apply.
  public var addedTags: [String]
  /// Tags to remove; a tag that the snippet does not have is ignored.
  public var removedTags: [String]

  /// Makes an edit; omitted fields stay as they are.
  ///
  /// - Parameters:
  ///   - title: The new title.
  ///   - text: The new text.
  ///   - isPinned: Whether to pin or unpin the snippet.
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
