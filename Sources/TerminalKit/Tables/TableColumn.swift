/// A column of a table.
package struct TableColumn: Sendable {
  /// The width of a column.
  package enum Sizing: Equatable, Sendable {
    /// As wide as its widest cell.
    case fitted

    /// As wide as its widest cell if there is room, otherwise the rest of the line, but not less
    /// than the minimum.
    case flexible(minimum: Int)
  }

  /// The title above the column.
  package let title: String

  /// The alignment of the cells.
  package let alignment: TextAlignment

  /// The width of the column.
  package let sizing: Sizing

  /// Makes a column.
  ///
  /// - Parameters:
  ///   - title: The title above the column.
  ///   - alignment: The alignment of its cells. The default is leading.
  ///   - sizing: Its width. The default is that of its widest cell.
  package init(_ title: String, alignment: TextAlignment = .leading, sizing: Sizing = .fitted) {
    self.title = title
    self.alignment = alignment
    self.sizing = sizing
  }
}
