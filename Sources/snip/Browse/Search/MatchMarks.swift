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

extension Character {
  /// Whether it may be left out where lines break.
  fileprivate var isBlank: Bool { self == " " || self == "\n" || self == "\t" }
}

extension FrameStyle {
  /// Changes where matches begin and end.
  fileprivate func marked(by marks: MatchMarks?, _ isMatch: Bool) -> FrameStyle {
    isMatch ? marks?.style(within: self) ?? self : self
  }
}

/// A text with what was found in it.
struct MarkedText: Hashable, Sendable {
  /// The text, safe to print.
  let text: String
  /// The places in it, in order; none touches another.
  let matches: [Range<String.Index>]
  /// Where it begins: what stands before is not shown.
  private var start: String.Index

  /// Makes a text.
  ///
  /// - Parameters:
  ///   - text: The text, safe to print.
  ///   - matches: What is to stand out. The default is nothing.
  init(_ text: String, matches: [Range<String.Index>] = []) {
    self.text = text
    self.matches = matches
    start = text.startIndex
  }

  /// The text without what another one says already, if it begins with that.
  ///
  /// - Parameter title: What is shown elsewhere.
  /// - Returns: The rest.
  func dropping(_ title: String) -> MarkedText {
    guard !title.isEmpty, text.hasPrefix(title) else { return self }
    var rest = self
    let end = text.index(text.startIndex, offsetBy: title.count)
    rest.start = text[end...].firstIndex { !$0.isBlank } ?? text.endIndex
    return rest
  }

  /// The whole text in one line.
  ///
  /// - Parameters:
  ///   - style: The style of what does not stand out.
  ///   - marks: How the rest does.
  /// - Returns: The line, of any width.
  func line(_ style: FrameStyle, _ marks: MatchMarks?) -> FrameLine {
    var position = start
    return line(of: text[start...], from: &position, style, marks)
  }

  /// The first lines of the text, the last one with an ellipsis if there is more.
  ///
  /// - Parameters:
  ///   - columns: The columns of a line, at least 1.
  ///   - count: The most lines.
  ///   - style: The style of what does not stand out.
  ///   - marks: How the rest does.
  /// - Returns: At most that many lines.
  func beginning(
    columns: Int,
    count: Int,
    _ style: FrameStyle,
    _ marks: MatchMarks?
  ) -> [FrameLine] {
    var position = start
    return String(text[start...]).beginning(columns: columns, count: count).map { shown in
      line(of: shown[...], from: &position, style, marks)
    }
  }

  /// Styles a piece of the text as it is shown: blanks were left out where lines break, and signs
  /// put in where something is missing.
  private func line(
    of shown: Substring,
    from position: inout String.Index,
    _ style: FrameStyle,
    _ marks: MatchMarks?
  ) -> FrameLine {
    guard !matches.isEmpty else { return FrameLine(String(shown), style) }
    var line = FrameLine()
    var (piece, isMatch) = ("", false)
    for character in shown {
      while position < text.endIndex, text[position] != character, text[position].isBlank {
        position = text.index(after: position)
      }
      let isOfText = position < text.endIndex && text[position] == character
      let isNextMatch = isOfText && matches.contains { $0.contains(position) }
      if isNextMatch != isMatch {
        line.append(piece, style.marked(by: marks, isMatch))
        (piece, isMatch) = ("", isNextMatch)
      }
      piece.append(character)
      if isOfText { position = text.index(after: position) }
    }
    line.append(piece, style.marked(by: marks, isMatch))
    return line
  }
}
