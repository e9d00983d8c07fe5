import TerminalKit

/// Which lines of a screen the list has, and which are around it.
struct ScreenParts {
  /// Whether there is a line above the list.
  let hasHeader: Bool
  /// Whether there is a line of counters below the list.
  let hasCounters: Bool
  /// Whether there is a line at the bottom, for keys, messages and what is typed.
  let hasStatus: Bool
  let listHeight: Int

  /// Divides a screen; a low one is left to the list.
  init(_ size: ScreenSize) {
    hasHeader = size.lines >= 8
    hasCounters = size.lines >= 8
    hasStatus = size.lines >= 2
    listHeight = size.lines - [hasHeader, hasCounters, hasStatus].count { $0 }
  }
}
