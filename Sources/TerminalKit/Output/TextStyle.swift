/// The emphasis of a piece of text on a terminal, which never carries meaning.
package enum TextStyle: Sendable {
  /// Bold: the header of a table.
  case heading

  /// Bold red: the word before an error.
  case error

  /// Bold: a match of a search.
  case match

  /// Faint: text that can be skipped.
  case faint

  private var parameters: String {
    switch self {
    case .heading, .match: "1"
    case .error: "1;31"
    case .faint: "2"
    }
  }

  /// Returns the text between the sequences that turn this style on and off.
  fileprivate func applied(to text: String) -> String {
    "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
  }
}

extension OutputDevice {
  /// Applies a style to a text, if this device allows colour.
  ///
  /// - Parameters:
  ///   - text: The text, safe to print.
  ///   - style: The style.
  /// - Returns: The styled text, or the unchanged text.
  package func styled(_ text: String, _ style: TextStyle) -> String {
    allowsColor && !text.isEmpty ? style.applied(to: text) : text
  }
}
