/// Rows of text in columns, with a header.
struct Table: Sendable {
  /// The columns.
  let columns: [TableColumn]

  private var rows: [[TerminalText]] = []

  /// Creates a table without rows.
  ///
  /// - Parameter columns: The columns.
  init(columns: [TableColumn]) {
    self.columns = columns
  }

  /// Adds a row.
  ///
  /// - Parameter cells: A cell for each column, any text: line ends in it are folded into spaces,
  ///   other control characters made visible.
  mutating func append(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row needs a cell for each column")
    rows.append(cells.map { TerminalText($0, lines: .folded) })
  }

  /// Makes the layout that suits the rows of this table.
  ///
  /// - Parameter lineWidth: The columns of the terminal, or nil for no limit.
  /// - Returns: The layout.
  func layout(fitting lineWidth: Int?) -> TableLayout {
    TableLayout(columns: columns, measuring: rows, fitting: lineWidth)
  }

  /// Makes the lines of the table.
  ///
  /// - Parameter lineWidth: The columns of the terminal, or nil for no limit: then nothing is cut.
  /// - Returns: The lines, the header first.
  func lines(fitting lineWidth: Int?) -> [String] {
    let layout = layout(fitting: lineWidth)
    return [layout.header] + rows.map(layout.line)
  }
}

extension ConsoleStream {
  /// Writes a table, fitted to a terminal and complete anywhere else.
  ///
  /// - Parameter table: The table.
  /// - Throws: ``ConsoleError`` if this or an earlier write failed.
  func write(_ table: Table) throws(ConsoleError) {
    let lines = table.lines(fitting: device.fittingWidth)
    try writeLine(device.styled(lines[0], .heading))
    for line in lines.dropFirst() { try writeLine(line) }
  }
}
