import SnippetStorage
import TerminalKit

/// How what was looked for stands out in rows.
struct MatchMarks: Hashable, Sendable {
  /// The query.
  let query: SearchQuery
  /// The colour of it; `nil` where the terminal has none.
  let color: FrameStyle.Color?

  /// The style of what was found within text of another style, be that bold already.
  ///
  /// - Parameter style: The style of the text around it.
  /// - Returns: Bold and in the colour, or with text and ground exchanged.
  func style(within style: FrameStyle) -> FrameStyle {
    var style = style
    style.isFaint = false
    style.isBold = true
    if let color { style.foreground = color } else { style.isReversed.toggle() }
    return style
  }

  /// Finds where the words stand in a text.
  ///
  /// - Parameter text: A text that is safe to print, and short enough to be shown.
  /// - Returns: The text with its matches.
  func marked(_ text: String) -> MarkedText {
    MarkedText(text, matches: query.matches(in: text))
  }
}

extension PictureColors {
  /// The colour of what was looked for: the user's own red, as `grep` has it, where there are
  /// colours.
  var matchColor: FrameStyle.Color? { self == .none ? nil : .palette(1) }
}
