/// The columns and lines of a screen.
package struct ScreenSize: Hashable, Sendable {
  package var columns: Int
  package var lines: Int

  /// The usual size, if none is known.
  package static let usual = ScreenSize(columns: 80, lines: 24)

  /// The largest size to draw, whatever a terminal claims.
  package static let maximum = ScreenSize(columns: 1000, lines: 500)

  /// Makes a size of at least one cell, and of at most ``maximum``.
  package init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }

  /// Parses a size such as `80x24`.
  ///
  /// - Parameter text: The text; anything but a size from 1x1 to 1000x500 gives `nil`.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Int(parts[0]), let lines = Int(parts[1]),
      (1...Self.maximum.columns).contains(columns), (1...Self.maximum.lines).contains(lines)
    else { return nil }
    self.init(columns: columns, lines: lines)
  }

  /// The nearest size that can be drawn.
  package var clamped: ScreenSize {
    ScreenSize(
      columns: min(max(1, columns), Self.maximum.columns),
      lines: min(max(1, lines), Self.maximum.lines)
    )
  }
}

/// A rectangle of a screen's cells.
package struct BoxSize: Hashable, Sendable {
  package let columns: Int
  package let lines: Int

  package init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }
}
