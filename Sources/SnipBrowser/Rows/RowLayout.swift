import TerminalKit

/// The layout of a list's rows on a screen.
struct RowLayout: Hashable, Sendable {
  /// The columns of a row; in a gallery, of a snippet with its gap to the next.
  let columns: Int
  /// The lines of a row: 4, or 3 or 1 where there is little room; in a gallery, of a snippet.
  ///
  /// Unless it is 1, the first one is empty: no row touches the one above, or the bar.
  let height: Int
  /// The lines of the list.
  let listHeight: Int
  /// The number of snippets beside each other.
  let countBeside: Int
  /// The picture of a gallery; `nil` in a list.
  let tile: BoxSize?

  /// Lays out a list.
  ///
  /// - Parameters:
  ///   - columns: The columns of the list.
  ///   - lines: The lines of the list.
  init(columns: Int, lines: Int) {
    self.columns = columns
    listHeight = max(0, lines)
    height = lines >= 8 ? 4 : lines >= 6 ? 3 : 1
    countBeside = 1
    tile = nil
  }

  /// Lays out a gallery.
  ///
  /// - Parameters:
  ///   - columns: The columns of the screen.
  ///   - lines: The lines of the gallery.
  init(galleryOf columns: Int, lines: Int) {
    let tile = columns >= 110 ? BoxSize(columns: 24, lines: 9) : BoxSize(columns: 17, lines: 6)
    self.tile = tile
    self.columns = tile.columns + 2
    // The title, and the empty line.
    height = tile.lines + 2
    listHeight = max(0, lines)
    countBeside = max(1, columns / self.columns)
  }

  /// Whether a gallery has room on a screen.
  static func hasGallery(_ size: ScreenSize) -> Bool { size.columns >= 40 && size.lines >= 12 }

  /// The number of whole rows on screen, counted as at least one.
  var wholeRows: Int { max(1, listHeight / height) * countBeside }

  /// The number of rows on screen, the last ones perhaps in part.
  var rows: Int { (listHeight + height - 1) / height * countBeside }

  /// The lines of a row that show its snippet.
  var contentHeight: Int { height > 1 ? height - 1 : 1 }

  /// The picture box; `nil` where there is no room for one.
  var box: BoxSize? {
    tile ?? (height == 4 && columns >= 36 ? .inRow : nil)
  }

  /// The columns before a row, which show whether it is selected.
  var gutter: Int { columns >= 10 ? 2 : 1 }

  /// The columns for the words of a row.
  ///
  /// - Parameter box: The box before them; `nil` if the row has none.
  /// - Returns: The columns, at least 1.
  func wordColumns(beside box: BoxSize?) -> Int {
    if let tile { return tile.columns }
    return max(1, columns - gutter - (box.map { $0.columns + 1 } ?? 0))
  }

  /// The number of characters of a text that a row shows.
  var textLength: Int {
    if let tile { return max(0, tile.columns * tile.lines - 4) }
    // Two ellipses show that something was left out, and the last line has the facts too.
    return height > 1 ? max(0, wordColumns(beside: nil) * (contentHeight - 1) - 24) : 0
  }

  /// The nearest first position at which a given row is on screen.
  ///
  /// - Parameters:
  ///   - position: A position in the list.
  ///   - first: The position of the uppermost row on screen.
  /// - Returns: The nearest position of an uppermost row that shows the whole given row.
  func first(revealing position: Int, from first: Int) -> Int {
    let (line, top) = (position / countBeside, first / countBeside)
    return min(max(top, line - wholeRows / countBeside + 1), line) * countBeside
  }

  /// The last position of an uppermost row that leaves no room empty at the end of the list.
  func lastFirst(count: Int) -> Int {
    let lines = (count + countBeside - 1) / countBeside
    return max(0, lines - wholeRows / countBeside) * countBeside
  }
}
