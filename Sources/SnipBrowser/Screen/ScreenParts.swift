import TerminalKit

/// Which parts of a screen the list has, and which are around it.
struct ScreenParts {
  /// How the snippets of the list are laid out.
  enum Form: Hashable, Sendable {
    /// One below the other.
    case list
    /// Beside each other, in lines.
    case gallery
  }

  /// From so many columns on there is a pane beside the list.
  private static let leastPaneScreen = 110
  /// The columns of the list beside a pane, of which it takes two fifths.
  private static let listColumns = 60...96

  /// Whether there is a line above the list.
  let hasHeader: Bool
  /// Whether there is a line of counters below the list.
  let hasCounters: Bool
  /// Whether there is a line at the bottom, for keys, messages and what is typed.
  let hasStatus: Bool
  let listColumns: Int
  let listHeight: Int
  /// The cells beside the list that show the selected snippet; `nil` on a screen that is not wide.
  let pane: BoxSize?

  /// The columns of the list and what parts it from the pane.
  var paneStart: Int { listColumns + 3 }

  /// Divides a screen; a low one is left to the list.
  ///
  /// - Parameters:
  ///   - size: The screen.
  ///   - form: How snippets are laid out. The default is as a list.
  ///   - showsCounters: Whether counters are asked for.
  init(_ size: ScreenSize, _ form: Form = .list, showsCounters: Bool) {
    hasHeader = size.lines >= 8
    hasCounters = showsCounters && size.lines >= 8
    hasStatus = size.lines >= 2
    listHeight = size.lines - [hasHeader, hasCounters, hasStatus].count { $0 }
    guard form == .list, size.columns >= Self.leastPaneScreen, listHeight >= 8 else {
      listColumns = size.columns
      pane = nil
      return
    }
    let share = size.columns * 2 / 5
    listColumns = min(max(share, Self.listColumns.lowerBound), Self.listColumns.upperBound)
    pane = BoxSize(columns: size.columns - listColumns - 4, lines: listHeight)
  }

  /// How snippets are laid out.
  func layout(_ form: Form) -> RowLayout {
    switch form {
    case .list: RowLayout(columns: listColumns, lines: listHeight)
    case .gallery: RowLayout(galleryOf: listColumns, lines: listHeight)
    }
  }
}
