public import SnippetStorage

/// A change of a list on screen: the rows that were removed, inserted, moved and updated, or that
/// any may have changed.
///
/// It leads from the state that the host knew to the state of ``SnippetLoader/count`` and the rows
/// when the host gets the change.
public struct ListChange: Sendable, Hashable {
  /// The row that can keep its place on screen, with its position before and after: the first
  /// visible one that is still in the list.
  ///
  /// `nil` when none is, and when the first row of the list was visible, because new rows should
  /// then be seen.
  public var anchor: RowMove?
  /// The fate of each row, with positions as `performBatchUpdates` takes them: those of removed
  /// rows in the former state, all others in the new one.
  ///
  /// `nil` for a reload, where that is unknown or too much: any row may then differ.
  public var batch: ListBatch?

  /// Makes a change by hand, for your own hosts and for tests.
  ///
  /// - Parameters:
  ///   - anchor: The row that can keep its place; none by default.
  ///   - batch: The fate of each row; `nil`, the default, for a reload.
  public init(anchor: RowMove? = nil, batch: ListBatch? = nil) {
    self.anchor = anchor
    self.batch = batch
  }

  /// The number of positions to scroll to keep the anchor in place on screen; 0 without an anchor.
  public var displacement: Int { anchor.map { $0.to - $0.from } ?? 0 }

  /// Returns the new position of the row that was at a position.
  ///
  /// Use it to keep a selection or the focus on its row.
  ///
  /// - Parameter formerPosition: A position in the former state.
  /// - Returns: The new position; if the row is gone, that of the next remaining row. `nil` after a
  ///   reload, outside of the former list, and if the list is empty now.
  /// - Complexity: O(*m*) for *m* changed rows.
  public func position(of formerPosition: Int) -> Int? { batch?.position(of: formerPosition) }
}
