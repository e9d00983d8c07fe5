/// The columns and lines of a screen.
struct ScreenSize: Hashable, Sendable {
  var columns: Int
  var lines: Int

  /// The usual size, where nobody says another.
  static let usual = ScreenSize(columns: 80, lines: 24)

  /// The largest size that is drawn, whatever a terminal says of itself.
  static let maximum = ScreenSize(columns: 1000, lines: 500)

  /// Makes a size of at least one cell, and of at most ``maximum``.
  init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }

  /// Reads a size such as `80x24`.
  ///
  /// - Parameter text: The text; one that is no size from 1x1 to 1000x500 gives `nil`.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Int(parts[0]), let lines = Int(parts[1]),
      (1...Self.maximum.columns).contains(columns), (1...Self.maximum.lines).contains(lines)
    else { return nil }
    self.init(columns: columns, lines: lines)
  }

  /// The nearest size that is drawn.
  var clamped: ScreenSize {
    ScreenSize(
      columns: min(max(1, columns), Self.maximum.columns),
      lines: min(max(1, lines), Self.maximum.lines)
    )
  }
}

/// All that a screen shows at one moment.
struct Frame: Hashable, Sendable {
  let size: ScreenSize
  /// As many lines as the screen has, none wider than it.
  let lines: [FrameLine]

  /// Makes a frame that fits its screen: what does not is cut off.
  ///
  /// - Parameters:
  ///   - size: The screen.
  ///   - lines: The lines from above; those that are left are empty.
  init(size: ScreenSize, lines: [FrameLine]) {
    self.size = size
    var fitted = lines.prefix(size.lines).map { $0.truncated(toWidth: size.columns) }
    while fitted.count < size.lines { fitted.append(FrameLine()) }
    self.lines = fitted
  }

  /// The lines as plain text, without spaces at their ends; each ends with a line feed.
  var text: String {
    lines.map { line in
      let text = line.text
      let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex
      return text[..<end] + "\n"
    }
    .joined()
  }
}
