/// One line of a frame: pieces of text that are safe to print, each in one style.
package struct FrameLine: Hashable, Sendable {
  /// A piece of a line.
  package struct Piece: Hashable, Sendable {
    package var text: String
    package var style: FrameStyle
  }

  package private(set) var pieces: [Piece] = []
  /// The columns that the pieces take.
  package private(set) var width = 0

  /// Makes an empty line.
  package init() {}

  /// Makes a line of one piece.
  ///
  /// - Parameters:
  ///   - text: The text, safe to print.
  ///   - style: Its style. The default is the plain one.
  package init(_ text: String, _ style: FrameStyle = .plain) {
    append(text, style)
  }

  /// The text without its styles.
  package var text: String { pieces.map(\.text).joined() }

  /// Whether terminals may disagree about where the characters of this line stand.
  var hasUncertainWidth: Bool { pieces.contains { $0.text.hasUncertainWidth } }

  /// The text with what switches its styles on and, at the end, off.
  ///
  /// - Parameters:
  ///   - allowsStyles: Whether styles may be written.
  ///   - isAligned: Whether what follows a character of uncertain width is put into its column, for
  ///     a line that begins in the first one. The default is that it follows wherever that ends.
  /// - Returns: What to write to a terminal.
  package func written(allowsStyles: Bool, isAligned: Bool = false) -> String {
    let isAligned = isAligned && hasUncertainWidth
    guard allowsStyles || isAligned else { return text }
    var (written, style, column) = ("", FrameStyle.plain, 0)
    for piece in pieces {
      if allowsStyles { piece.style.append(after: style, to: &written) }
      style = piece.style
      guard isAligned else {
        written += piece.text
        continue
      }
      for part in piece.text.certainPieces {
        written += part
        column += part.displayWidth
        if column < width, part.hasUncertainWidth { written += "\u{1B}[\(column + 1)G" }
      }
    }
    if allowsStyles { FrameStyle.plain.append(after: style, to: &written) }
    return written
  }

  /// Parts a line where it begins to differ from another one, if they begin alike.
  ///
  /// - Parameter other: What stands on the terminal.
  /// - Returns: The columns that both have in common, and the rest; `nil` where there are none, or it
  ///   is uncertain where they end.
  func divided(behindBeginningOf other: FrameLine) -> (columns: Int, rest: FrameLine)? {
    let count = zip(pieces, other.pieces).prefix { $0 == $1 }.count
    guard count > 0, count < pieces.count, !hasUncertainWidth, !other.hasUncertainWidth else {
      return nil
    }
    var rest = FrameLine()
    for piece in pieces[count...] { rest.add(piece.text, piece.style) }
    return (width - rest.width, rest)
  }

  /// Adds a piece, behind a space where it would otherwise join the character before: the two
  /// together could be wider than each by itself.
  ///
  /// - Parameters:
  ///   - text: The text, safe to print.
  ///   - style: Its style. The default is the plain one.
  package mutating func append(_ text: String, _ style: FrameStyle = .plain) {
    guard let first = text.unicodeScalars.first else { return }
    let joins =
      pieces.last?.text.last.map { last in
        !(last.isASCII && first.isASCII) && "\(last)\(first)".count == 1
      } == true
    add(joins ? " " + text : text, style)
  }

  /// Adds what joins nothing.
  private mutating func add(_ text: String, _ style: FrameStyle) {
    guard !text.isEmpty else { return }
    width += text.displayWidth
    if pieces.last?.style == style {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append(Piece(text: text, style: style))
    }
  }

  /// Adds the pieces of another line.
  package mutating func append(_ line: FrameLine) {
    for piece in line.pieces { append(piece.text, piece.style) }
  }

  /// Adds spaces up to a column.
  package mutating func pad(toWidth columns: Int) {
    append(String(repeating: " ", count: max(0, columns - width)))
  }

  /// The line, cut off where a number of columns ends; a wide character is never cut in two.
  package func truncated(toWidth columns: Int) -> FrameLine {
    guard width > columns else { return self }
    var line = FrameLine()
    for piece in pieces where line.width < columns {
      let room = columns - line.width
      let text = piece.text.truncated(toWidth: room)
      line.add(text, piece.style)
      if text != piece.text { break }
    }
    return line
  }
}
