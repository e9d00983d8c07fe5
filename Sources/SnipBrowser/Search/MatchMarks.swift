import SnippetStorage
import TerminalKit

/// A search, and the style of its matches in rows.
struct MatchMarks: Hashable, Sendable {
  /// The query.
  let query: SearchQuery
  /// The colour of matches; `nil` where the terminal has none.
  let color: FrameStyle.Color?

  /// The style of a match within text of another style, even bold text.
  ///
  /// - Parameter style: The style of the text around it.
  /// - Returns: Bold and in the colour, or reversed.
  func style(within style: FrameStyle) -> FrameStyle {
    var style = style
    style.isFaint = false
    style.isBold = true
    if let color { style.foreground = color } else { style.isReversed.toggle() }
    return style
  }

  /// Finds the matches in a text.
  ///
  /// - Parameter text: A text that is safe to print, and short enough to be shown.
  /// - Returns: The text with its matches.
  func marked(_ text: String) -> MarkedText {
    MarkedText(text, matches: query.matches(in: text))
  }
}

extension PictureColors {
  /// The colour of matches: the user's own red, as in `grep`, where there are colours.
  var matchColor: FrameStyle.Color? { self == .none ? nil : .palette(1) }
}
