/// One line of a frame: pieces of printable text, each in one style.
package struct FrameLine: Hashable, Sendable {
  /// A piece of a line.
  package struct Piece: Hashable, Sendable {
    package var text: String
    package var style: FrameStyle
  }

  package private(set) var pieces: [Piece] = []
  /// The number of columns.
  package private(set) var width = 0

  /// Makes an empty line.
  package init() {}

  /// Makes a line of one piece.
  ///
  /// - Parameters:
  ///   - text: The text, safe to print.
  ///   - style: The style. The default is plain.
  package init(_ text: String, _ style: FrameStyle = .plain) {
    append(text, style)
  }

  /// The text without styles.
  package var text: String { pieces.map(\.text).joined() }

  /// Whether terminals may disagree about the columns of this line.
  var hasUncertainWidth: Bool { pieces.contains { $0.text.hasUncertainWidth } }

  /// Returns the text with the sequences that turn styles on and, at the end, off.
  ///
  /// - Parameters:
  ///   - allowsStyles: Whether to write styles.
  ///   - isAligned: Whether to position the text after a character of uncertain width by its
  ///     column, in a line that begins in the first column. By default it follows wherever the
  ///     character ends.
  /// - Returns: The text to write to a terminal.
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

  /// Splits a line at the first difference from another, if both begin alike.
  ///
  /// - Parameter other: The line on the terminal.
  /// - Returns: The number of common columns, and the rest; `nil` if there are none or their number
  ///   is uncertain.
  func divided(behindBeginningOf other: FrameLine) -> (columns: Int, rest: FrameLine)? {
    let count = zip(pieces, other.pieces).prefix { $0 == $1 }.count
    guard count > 0, count < pieces.count, !hasUncertainWidth, !other.hasUncertainWidth else {
      return nil
    }
    var rest = FrameLine()
    for piece in pieces[count...] { rest.add(piece.text, piece.style) }
    return (width - rest.width, rest)
  }

  /// Appends a piece.
  ///
  /// If it would join the last character, a space is put in between, because the two together could
  /// be wider than each alone.
  ///
  /// - Parameters:
  ///   - text: The text, safe to print.
  ///   - style: The style. The default is plain.
  package mutating func append(_ text: String, _ style: FrameStyle = .plain) {
    guard let first = text.unicodeScalars.first else { return }
    let joins =
      pieces.last?.text.last.map { last in
        !(last.isASCII && first.isASCII) && "\(last)\(first)".count == 1
      } == true
    add(joins ? " " + text : text, style)
  }

  /// Appends text that does not join the last character.
  private mutating func add(_ text: String, _ style: FrameStyle) {
    guard !text.isEmpty else { return }
    width += text.displayWidth
    if pieces.last?.style == style {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append(Piece(text: text, style: style))
    }
  }

  /// Appends the pieces of another line.
  package mutating func append(_ line: FrameLine) {
    for piece in line.pieces { append(piece.text, piece.style) }
  }

  /// Appends spaces up to a column.
  package mutating func pad(toWidth columns: Int) {
    append(String(repeating: " ", count: max(0, columns - width)))
  }

  /// Returns the line cut off at a number of columns; a wide character is never split.
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
