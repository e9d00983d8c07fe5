/// All that a screen shows at one moment.
package struct Frame: Hashable, Sendable {
  package let size: ScreenSize
  /// As many lines as the screen has, none wider than it.
  package let lines: [FrameLine]

  /// Makes a frame that fits its screen: what does not is cut off.
  ///
  /// - Parameters:
  ///   - size: The screen.
  ///   - lines: The lines from above; those that are left are empty.
  package init(size: ScreenSize, lines: [FrameLine]) {
    self.size = size
    var fitted = lines.prefix(size.lines).map { $0.truncated(toWidth: size.columns) }
    while fitted.count < size.lines { fitted.append(FrameLine()) }
    self.lines = fitted
  }

  /// The lines as plain text, without spaces at their ends; each ends with a line feed.
  package var text: String {
    lines.map { line in
      let text = line.text
      let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex
      return text[..<end] + "\n"
    }
    .joined()
  }
}
