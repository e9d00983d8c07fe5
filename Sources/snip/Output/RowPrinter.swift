import Foundation
import SnipCore
import SnippetStorage
import TerminalKit

/// The form in which rows are printed: as lines of JSON, or in the columns of a table.
struct RowFormat: Sendable {
  /// Some rows in this form.
  enum Piece: Sendable {
    case lines(JSONLines)
    case table(Table)
  }

  private let isJSON: Bool
  private let columns: [RowColumn]

  fileprivate init(isJSON: Bool, device: OutputDevice) {
    self.isJSON = isJSON
    let width = device.fittingWidth ?? .max
    columns = RowColumn.all.filter { $0.minimumLineWidth <= width }
  }

  fileprivate var emptyTable: Table { Table(columns: columns.map(\.column)) }

  /// Formats rows.
  ///
  /// - Parameters:
  ///   - rows: The rows, in the order to be printed.
  ///   - excerpts: The parts of their texts to show; the beginnings by default.
  /// - Returns: The rows in this form.
  func piece(_ rows: [SnippetRow], excerpts: [SnippetID: SearchExcerpt] = [:]) -> Piece {
    guard isJSON else {
      var table = emptyTable
      for row in rows { table.append(columns.map { $0.text(row, excerpts[row.id]) }) }
      return .table(table)
    }
    // As bytes: values of JSON would cost more than everything else.
    var lines = JSONLines()
    for row in rows {
      lines.begin()
      row.addFields(to: &lines)
      if let excerpt = excerpts[row.id] { lines.add("excerpt", excerpt.text) }
      lines.end()
    }
    return .lines(lines)
  }
}

/// Prints rows, as a table or as JSON lines.
struct RowPrinter {
  let format: RowFormat

  private let console: Console
  private let query: SearchQuery
  private var table: Table

  /// Makes a printer.
  ///
  /// - Parameters:
  ///   - console: The console whose output takes the rows.
  ///   - isJSON: Whether to print JSON lines.
  ///   - query: The search whose matches stand out on a terminal.
  init(console: Console, isJSON: Bool, query: SearchQuery = SearchQuery("")) {
    format = RowFormat(isJSON: isJSON, device: console.output.device)
    self.console = console
    self.query = query
    table = format.emptyTable
  }

  /// Adds rows: prints them as JSON, or keeps them for the table, whose layout depends on all.
  ///
  /// - Parameter piece: The rows in the format of this printer.
  /// - Throws: ``ConsoleError``
  mutating func add(_ piece: RowFormat.Piece) throws(ConsoleError) {
    switch piece {
    case .lines(let lines): try console.output.write(contentsOf: lines.bytes)
    case .table(let rows): table.append(rowsOf: rows)
    }
  }

  /// Prints the table under its headline, unless it has no rows.
  ///
  /// - Throws: ``ConsoleError``
  func finish() throws(ConsoleError) {
    guard table.rowCount > 0 else { return }
    try console.output.write(table, lastColumnHighlights: query.matches)
  }
}

/// A column in a table of rows.
private struct RowColumn: Sendable {
  let column: TableColumn
  /// The columns of the narrowest terminal that has room for this one beside the snippets.
  var minimumLineWidth = 0
  let text: @Sendable (SnippetRow, SearchExcerpt?) -> String

  static let all = [
    RowColumn(column: TableColumn("ID", alignment: .trailing)) { row, _ in row.id.description },
    RowColumn(column: TableColumn("KIND")) { row, _ in row.kind.name + (row.isPinned ? " *" : "") },
    RowColumn(column: TableColumn("CREATED"), minimumLineWidth: 54) { row, _ in
      DateText.short(row.createdAt)
    },
    RowColumn(column: TableColumn("SIZE", alignment: .trailing), minimumLineWidth: 62) { row, _ in
      ByteCountText(row.byteCount).description
    },
    RowColumn(column: TableColumn("MEDIA", alignment: .trailing), minimumLineWidth: 72) { row, _ in
      [row.factsText, row.flawText].filter { !$0.isEmpty }.joined(separator: ", ")
    },
    RowColumn(column: TableColumn("SNIPPET", sizing: .flexible(minimum: 20))) { row, excerpt in
      TerminalText(row.summary(with: excerpt)).description
    },
  ]
}
