public import SnippetStorage

/// What became of a list on screen: other snippets may stand at its positions, or it is longer or
/// shorter.
public struct ListChange: Sendable, Hashable {
  /// The row that can keep its place on screen, with its position before and after: the first of
  /// those that were visible and are still in the list.
  ///
  /// `nil` when none is, and where the first row of the list was visible: there, what is new is to be
  /// seen.
  public var anchor: RowMove?

  /// Makes a change by hand, for hosts of one's own and for tests.
  ///
  /// - Parameter anchor: The row that can keep its place; none by default.
  public init(anchor: RowMove? = nil) {
    self.anchor = anchor
  }

  /// By how many positions to scroll so that the anchor stays where it is on screen; 0 without one.
  public var displacement: Int { anchor.map { $0.to - $0.from } ?? 0 }
}
