import Foundation

/// Rows of text in columns, with a header.
package struct Table: Sendable {
  /// The columns.
  package let columns: [TableColumn]

  private var rows: [[TerminalText]] = []

  /// Makes a table without rows.
  ///
  /// - Parameter columns: The columns.
  package init(columns: [TableColumn]) {
    self.columns = columns
  }

  /// Adds a row.
  ///
  /// - Parameter cells: A cell for each column. Any text is allowed: line ends are folded into
  ///   spaces, and other control characters made visible.
  package mutating func append(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row needs a cell for each column")
    rows.append(cells.map { TerminalText($0, lines: .folded) })
  }

  /// Computes the layout that suits the rows of this table.
  ///
  /// - Parameter lineWidth: The columns of the terminal; `nil` for no limit.
  /// - Returns: The layout.
  func layout(fitting lineWidth: Int?) -> TableLayout {
    TableLayout(columns: columns, measuring: rows, fitting: lineWidth)
  }

  /// Returns the lines of the table.
  ///
  /// - Parameter lineWidth: The columns of the terminal; with `nil` nothing is cut.
  /// - Returns: The lines, the header first.
  package func lines(fitting lineWidth: Int?) -> [String] {
    let layout = layout(fitting: lineWidth)
    return [layout.header] + rows.map(layout.line)
  }
}

extension ConsoleStream {
  /// Writes a table, fitted to a terminal and complete anywhere else.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - highlights: Finds the ranges to highlight in a cell of the last column; the default is
  ///     none.
  /// - Throws: ``ConsoleError`` if this or an earlier write failed.
  package func write(
    _ table: Table,
    lastColumnHighlights highlights: (String) -> [Range<String.Index>] = { _ in [] }
  ) throws(ConsoleError) {
    let lines = table.lines(fitting: device.fittingWidth)
    try writeLine(device.styled(lines[0], .heading))
    let title = table.columns.last?.title ?? ""
    let start = lines[0].range(of: title, options: .backwards).map {
      lines[0].distance(from: lines[0].startIndex, to: $0.lowerBound)
    }
    guard device.allowsColor else { return try write(Self.joined(lines.dropFirst())) }
    for line in lines.dropFirst() {
      let cell = String(line.dropFirst(start ?? 0))
      var text = String(line.prefix(start ?? 0))
      var position = cell.startIndex
      for range in highlights(cell) {
        text += cell[position..<range.lowerBound]
        text += device.styled(String(cell[range]), .match)
        position = range.upperBound
      }
      try writeLine(text + cell[position...])
    }
  }

  private static func joined(_ lines: ArraySlice<String>) -> String {
    lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }
}
