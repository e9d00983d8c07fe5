/// A column of a table.
package struct TableColumn: Sendable {
  /// How wide a column is.
  package enum Sizing: Equatable, Sendable {
    /// As wide as its widest cell.
    case fitted

    /// As wide as its widest cell if there is room, else what the others leave, but not less than
    /// the minimum.
    case flexible(minimum: Int)
  }

  /// The word above the column.
  package let title: String

  /// Where cells stand in the column.
  package let alignment: TextAlignment

  /// How wide the column is.
  package let sizing: Sizing

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - title: The word above the column.
  ///   - alignment: Where cells stand in it. The default is its beginning.
  ///   - sizing: How wide it is. The default is as wide as its widest cell.
  package init(_ title: String, alignment: TextAlignment = .leading, sizing: Sizing = .fitted) {
    self.title = title
    self.alignment = alignment
    self.sizing = sizing
  }
}
