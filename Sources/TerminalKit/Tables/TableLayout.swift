/// The widths of a table's columns, and the lines made with them.
///
/// A layout is computed from some rows, such as the first page of many, and then used for all. A
/// later cell that is too wide is cut on a terminal. In a pipe it pushes its neighbours aside, so
/// that no data is lost.
struct TableLayout: Sendable {
  private static let gap = 2

  private let columns: [TableColumn]
  private let widths: [Int]
  private let lineWidth: Int?

  /// Computes a layout.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - rows: The rows to measure, with a cell for each column.
  ///   - lineWidth: The columns of the terminal; `nil` for no limit.
  /// - Complexity: O(*n*) in the length of the rows.
  init(columns: [TableColumn], measuring rows: [[TerminalText]], fitting lineWidth: Int?) {
    let natural = columns.enumerated().map { position, column in
      rows.reduce(column.title.displayWidth) { max($0, $1[position].description.displayWidth) }
    }
    self.columns = columns
    self.lineWidth = lineWidth
    widths = lineWidth.map { Self.widths(natural, of: columns, fitting: $0) } ?? natural
  }

  /// The line of column titles.
  var header: String { line(columns.map { TerminalText($0.title) }) }

  /// Formats a row.
  ///
  /// - Parameter cells: A cell for each column.
  /// - Returns: The line, without trailing spaces.
  func line(_ cells: [TerminalText]) -> String {
    precondition(cells.count == columns.count, "a row needs a cell for each column")
    var line = ""
    for (position, column) in columns.enumerated() {
      let text = cells[position].description
      let cell = lineWidth == nil ? text : text.truncated(toWidth: widths[position])
      if position > 0 { line += String(repeating: " ", count: Self.gap) }
      line += cell.padded(toWidth: widths[position], alignment: column.alignment)
    }
    // Columns that cannot shrink may alone be wider than the terminal.
    return (lineWidth.map { line.truncated(toWidth: $0) } ?? line).trimmingSpacesAtEnd
  }

  /// Returns the widths of columns in a line: flexible ones shrink, the widest first.
  private static func widths(
    _ natural: [Int],
    of columns: [TableColumn],
    fitting lineWidth: Int
  ) -> [Int] {
    var widths = natural
    var room = lineWidth - gap * max(0, columns.count - 1)
    var flexible: [(position: Int, minimum: Int)] = []
    for (position, column) in columns.enumerated() {
      switch column.sizing {
      case .fitted: room -= natural[position]
      case .flexible(let minimum): flexible.append((position, minimum))
      }
    }
    flexible.sort { natural[$0.position] < natural[$1.position] }
    for (served, column) in flexible.enumerated() {
      let share = max(room / (flexible.count - served), column.minimum, 1)
      widths[column.position] = min(natural[column.position], share)
      room -= widths[column.position]
    }
    return widths
  }
}

extension String {
  /// The text without trailing spaces.
  fileprivate var trimmingSpacesAtEnd: String {
    String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
  }
}
