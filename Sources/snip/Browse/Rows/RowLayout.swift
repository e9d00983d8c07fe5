import TerminalKit

/// How the rows of a list are laid out on a screen.
struct RowLayout: Hashable, Sendable {
  /// The columns of the screen.
  let columns: Int
  /// The lines of a row: 4, or 2 or 1 where there is little room.
  let height: Int
  /// The lines of the list.
  let listHeight: Int

  /// Lays out a list.
  ///
  /// - Parameters:
  ///   - columns: The columns of the screen.
  ///   - lines: The lines that the list has.
  init(columns: Int, lines: Int) {
    self.columns = columns
    listHeight = max(0, lines)
    height = lines >= 8 ? 4 : lines >= 3 ? 2 : 1
  }

  /// How many rows are on screen whole; at least one counts.
  var wholeRows: Int { max(1, listHeight / height) }

  /// How many rows are on screen, the last one perhaps in part.
  var rows: Int { (listHeight + height - 1) / height }

  /// The picture box; `nil` where there is no room for one.
  var box: BoxSize? {
    height == 4 && columns >= 40 ? .inRow : nil
  }

  /// The columns before a row, which show whether it is selected.
  var gutter: Int { columns >= 10 ? 2 : 1 }

  /// The columns that a row has for its texts.
  var textColumns: Int { max(1, columns - gutter - (box.map { $0.columns + 1 } ?? 0)) }
}
