/// How a piece of text stands out on a terminal; no meaning ever hangs on it.
package enum TextStyle: Sendable {
  /// Bold: the header of a table.
  case heading

  /// Bold red: the word before an error.
  case error

  /// Bold: what was looked for.
  case match

  /// Faint: what can be skipped.
  case faint

  private var parameters: String {
    switch self {
    case .heading, .match: "1"
    case .error: "1;31"
    case .faint: "2"
    }
  }

  /// A text between the sequences that switch this style on and off.
  fileprivate func applied(to text: String) -> String {
    "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
  }
}

extension OutputDevice {
  /// Puts a text into a style if this device allows colour.
  ///
  /// - Parameters:
  ///   - text: The text, safe to print.
  ///   - style: The style.
  /// - Returns: The text in the style, or the text as it is.
  package func styled(_ text: String, _ style: TextStyle) -> String {
    allowsColor && !text.isEmpty ? style.applied(to: text) : text
  }
}
