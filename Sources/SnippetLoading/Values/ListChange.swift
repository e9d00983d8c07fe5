public import SnippetStorage

/// A change of a list on screen: its positions may hold other snippets, or it is longer or shorter.
public struct ListChange: Sendable, Hashable {
  /// The row that can keep its place on screen, with its position before and after: the first
  /// visible one that is still in the list.
  ///
  /// `nil` when none is, and when the first row of the list was visible, because then what is new
  /// should be seen.
  public var anchor: RowMove?

  /// Makes a change by hand, for your own hosts and for tests.
  ///
  /// - Parameter anchor: The row that can keep its place; none by default.
  public init(anchor: RowMove? = nil) {
    self.anchor = anchor
  }

  /// How many positions to scroll so that the anchor stays on screen where it is; 0 without one.
  public var displacement: Int { anchor.map { $0.to - $0.from } ?? 0 }
}
