public import SnippetStorage

/// A change of a list on screen: which rows came, went, moved and changed, or that any may have.
///
/// It leads from the state that the host knew to the state that ``SnippetLoader/count`` and the rows
/// have when the host is told.
public struct ListChange: Sendable, Hashable {
  /// The row that can keep its place on screen, with its position before and after: the first
  /// visible one that is still in the list.
  ///
  /// `nil` when none is, and when the first row of the list was visible, because then what is new
  /// should be seen.
  public var anchor: RowMove?
  /// What became of each row, with positions in the form that `performBatchUpdates` takes: of what
  /// went in the former state, of all else in the new one.
  ///
  /// `nil` for a reload, where that is not known or too much: then any row may be another.
  public var batch: ListBatch?

  /// Makes a change by hand, for your own hosts and for tests.
  ///
  /// - Parameters:
  ///   - anchor: The row that can keep its place; none by default.
  ///   - batch: What became of each row; `nil`, which is the default, for a reload.
  public init(anchor: RowMove? = nil, batch: ListBatch? = nil) {
    self.anchor = anchor
    self.batch = batch
  }

  /// How many positions to scroll so that the anchor stays on screen where it is; 0 without one.
  public var displacement: Int { anchor.map { $0.to - $0.from } ?? 0 }

  /// Where a row stands now that stood at a position before.
  ///
  /// So a selection or the focus follows its row.
  ///
  /// - Parameter formerPosition: A position in the state before.
  /// - Returns: The position now; of the next row that is left, where the row is gone. `nil` after a
  ///   reload, outside of the former list, and where the list is empty.
  /// - Complexity: O(*m*) for *m* changed rows.
  public func position(of formerPosition: Int) -> Int? { batch?.position(of: formerPosition) }
}
