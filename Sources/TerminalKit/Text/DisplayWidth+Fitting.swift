/// The side of the available space on which a text stands.
package enum TextAlignment: Sendable {
  case leading
  case trailing
}

extension String {
  /// Cuts the text off at a number of columns.
  ///
  /// A character is never split: if a wide one does not fit, the result is a column shorter.
  ///
  /// - Parameter width: The available columns. With 0, the result is empty.
  /// - Returns: The text, or its beginning and an ellipsis.
  package func truncated(toWidth width: Int) -> String {
    // No character has more columns than bytes, so a short text fits without measuring.
    guard utf8.count > width, displayWidth > width else { return self }
    guard width > 0 else { return "" }
    return prefix(ofWidth: width - 1) + "…"
  }

  /// Pads the text with spaces to a number of columns.
  ///
  /// A text that is already wider is returned unchanged.
  ///
  /// - Parameters:
  ///   - width: The columns to fill.
  ///   - alignment: The alignment of the text. The default is leading.
  /// - Returns: The text with spaces after or before it.
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
