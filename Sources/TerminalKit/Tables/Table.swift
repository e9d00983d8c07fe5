import Foundation

/// Rows of text in columns, with a header.
package struct Table: Sendable {
  private struct Cell {
    /// The text, safe to print.
    let text: String
    /// Its width in columns of the terminal.
    let width: Int

    init(_ text: String) {
      if let width = text.latinWidth {
        (self.text, self.width) = (text, width)
        return
      }
      self.text = TerminalText(text, lines: .folded).description
      width = self.text.displayWidth
    }
  }

  private static let gap = 2

  /// The columns.
  package let columns: [TableColumn]

  /// The titles of the columns, then the cells of each row, in pieces: to join long tables would
  /// copy them.
  private var pieces: [ArraySlice<Cell>]
  /// The width of the widest cell in each column.
  private var naturalWidths: [Int]

  /// Makes a table without rows.
  ///
  /// - Parameter columns: The columns.
  package init(columns: [TableColumn]) {
    self.columns = columns
    let titles = columns.map { Cell($0.title) }
    pieces = [titles[...]]
    naturalWidths = titles.map(\.width)
  }

  /// The number of rows below the header.
  package var rowCount: Int { pieces.reduce(0) { $0 + $1.count } / columns.count - 1 }

  /// Adds a row.
  ///
  /// - Parameter texts: A text for each column. Any text is allowed: line ends are folded into
  ///   spaces, and other control characters made visible.
  package mutating func append(_ texts: [String]) {
    precondition(texts.count == columns.count, "a row needs a cell for each column")
    for (column, text) in texts.enumerated() {
      let cell = Cell(text)
      pieces[pieces.count - 1].append(cell)
      naturalWidths[column] = max(naturalWidths[column], cell.width)
    }
  }

  /// Adds the rows of another table with the same columns.
  ///
  /// - Parameter other: The other table.
  package mutating func append(rowsOf other: Table) {
    precondition(other.columns.count == columns.count, "a row needs a cell for each column")
    pieces.append(other.pieces[0].dropFirst(columns.count))
    pieces += other.pieces.dropFirst()
    naturalWidths = zip(naturalWidths, other.naturalWidths).map { max($0, $1) }
  }

  /// Returns the lines of the table, each without trailing spaces.
  ///
  /// - Parameter lineWidth: The columns of the terminal; with `nil` nothing is cut.
  /// - Returns: The lines, the header first.
  package func lines(fitting lineWidth: Int?) -> some Sequence<String> {
    let widths = lineWidth.map(widths) ?? naturalWidths
    return pieces.lazy.flatMap { piece in
      stride(from: piece.startIndex, to: piece.endIndex, by: columns.count).lazy.map { start in
        line(of: piece[start..<start + columns.count], widths, fitting: lineWidth)
      }
    }
  }

  private func line(
    of cells: ArraySlice<Cell>,
    _ widths: [Int],
    fitting lineWidth: Int?
  ) -> String {
    var line = ""
    var pendingSpaces = 0
    for column in columns.indices {
      let cell = cells[cells.startIndex + column]
      let isCut = cell.width > widths[column]
      let text = isCut ? cell.text.truncated(toWidth: widths[column]) : cell.text
      let padding = max(0, widths[column] - (isCut ? text.displayWidth : cell.width))
      let isTrailing = columns[column].alignment == .trailing
      if isTrailing { pendingSpaces += padding }
      if !text.isEmpty {
        line.append(spaces: pendingSpaces)
        line += text
        pendingSpaces = 0
      }
      pendingSpaces += isTrailing ? Self.gap : padding + Self.gap
    }
    // Columns that cannot shrink may alone be wider than the terminal.
    return (lineWidth.map { line.truncated(toWidth: $0) } ?? line).trimmingSpacesAtEnd
  }

  /// Returns the widths of columns in a line: flexible ones shrink, the widest first.
  private func widths(fitting lineWidth: Int) -> [Int] {
    var widths = naturalWidths
    var room = lineWidth - Self.gap * max(0, columns.count - 1)
    var flexible: [(position: Int, minimum: Int)] = []
    for (position, column) in columns.enumerated() {
      switch column.sizing {
      case .fitted: room -= naturalWidths[position]
      case .flexible(let minimum): flexible.append((position, minimum))
      }
    }
    flexible.sort { naturalWidths[$0.position] < naturalWidths[$1.position] }
    for (served, column) in flexible.enumerated() {
      let share = max(room / (flexible.count - served), column.minimum, 1)
      widths[column.position] = min(naturalWidths[column.position], share)
      room -= widths[column.position]
    }
    return widths
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
    var lines = table.lines(fitting: device.fittingWidth).makeIterator()
    guard let header = lines.next() else { return }
    try writeLine(device.styled(header, .heading))
    let title = table.columns.last?.title ?? ""
    let start = header.range(of: title, options: .backwards).map {
      header.distance(from: header.startIndex, to: $0.lowerBound)
    }
    while let line = lines.next() {
      guard device.allowsColor else {
        try writeLine(line)
        continue
      }
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
}

extension String {
  fileprivate mutating func append(spaces count: Int) {
    self += String(unsafeUninitializedCapacity: count) { bytes in
      bytes.initialize(repeating: UInt8(ascii: " "))
      return count
    }
  }

  /// The text without trailing spaces.
  fileprivate var trimmingSpacesAtEnd: String {
    utf8.last == UInt8(ascii: " ")
      ? String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]) : self
  }
}
