import TerminalKit

/// The parts of a screen: the list, and those around it.
struct ScreenParts {
  /// The arrangement of the list's snippets.
  enum Form: Hashable, Sendable {
    /// One below the other.
    case list
    /// Beside each other, in lines.
    case gallery
  }

  /// The least columns of a screen with a pane beside the list.
  private static let leastPaneScreen = 110
  /// The columns of the list beside a pane, two fifths of the screen within these limits.
  private static let listColumns = 60...96

  /// Whether there is a line above the list.
  let hasHeader: Bool
  /// Whether there is a line of counters below the list.
  let hasCounters: Bool
  /// Whether there is a line at the bottom, for keys, messages and typing.
  let hasStatus: Bool
  let listColumns: Int
  let listHeight: Int
  /// The cells of the pane beside the list; `nil` on a narrow screen.
  let pane: BoxSize?

  /// The column that tells the place in the list: the border to the pane, or the last one; `nil` on
  /// a narrow screen.
  let placeBar: Int?

  /// Divides a screen; a low one is all list.
  ///
  /// - Parameters:
  ///   - size: The screen.
  ///   - form: The arrangement of snippets. The default is a list.
  ///   - showsCounters: Whether to show counters.
  init(_ size: ScreenSize, _ form: Form = .list, showsCounters: Bool) {
    hasHeader = size.lines >= 8
    hasCounters = showsCounters && size.lines >= 8
    hasStatus = size.lines >= 2
    listHeight = size.lines - [hasHeader, hasCounters, hasStatus].count { $0 }
    guard form == .list, size.columns >= Self.leastPaneScreen, listHeight >= 8 else {
      placeBar = PlaceBar.column(on: size)
      listColumns = size.columns - (placeBar == nil ? 0 : 2)
      pane = nil
      return
    }
    let share = size.columns * 2 / 5
    listColumns = min(max(share, Self.listColumns.lowerBound), Self.listColumns.upperBound)
    placeBar = listColumns + 1
    pane = BoxSize(columns: size.columns - listColumns - 4, lines: listHeight)
  }

  /// The layout of snippets.
  func layout(_ form: Form) -> RowLayout {
    switch form {
    case .list: RowLayout(columns: listColumns, lines: listHeight)
    case .gallery: RowLayout(galleryOf: listColumns, lines: listHeight)
    }
  }
}
