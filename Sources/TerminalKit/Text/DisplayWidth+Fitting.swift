/// The side of its space on which a text stands.
package enum TextAlignment: Sendable {
  case leading
  case trailing
}

extension String {
  /// Cuts this text off where a number of columns ends.
  ///
  /// A character is never cut: where a wide one does not fit, the result is a column shorter.
  ///
  /// - Parameter width: The columns there are. With 0, the result is empty.
  /// - Returns: The text, or its beginning and an ellipsis.
  package func truncated(toWidth width: Int) -> String {
    // No character has more columns than bytes, so a short text fits unmeasured.
    guard utf8.count > width, displayWidth > width else { return self }
    guard width > 0 else { return "" }
    return prefix(ofWidth: width - 1) + "…"
  }

  /// Fills a number of columns with this text and spaces.
  ///
  /// A text that is wider already is returned as it is.
  ///
  /// - Parameters:
  ///   - width: The columns to fill.
  ///   - alignment: Where the text stands in them. The default is their beginning.
  /// - Returns: The text with spaces behind or before it.
  package func padded(toWidth width: Int, alignment: TextAlignment = .leading) -> String {
    let padding = String(repeating: " ", count: max(0, width - displayWidth))
    return alignment == .leading ? self + padding : padding + self
  }

  private func prefix(ofWidth width: Int) -> Substring {
    var room = width
    return prefix { character in
      room -= character.displayWidth
      return room >= 0
    }
  }
}
