import TerminalKit

extension RowView {
  /// Draws the row again.
  func draw(
    _ layout: RowLayout,
    selection: FrameStyle?,
    drawing: any PictureDrawing
  ) -> [FrameLine] {
    let content =
      layout.tile.map { tileLines($0, selection: selection, drawing: drawing) }
      ?? contentLines(layout, selection: selection, drawing: drawing)
    let lines = content.enumerated().map { number, content in
      var line = gutter(layout, selection: selection, number: number)
      line.append(content)
      return line
    }
    return Array(repeating: FrameLine(), count: layout.height - lines.count) + lines
  }

  /// The picture or the beginning of the text, above its title.
  private func tileLines(
    _ tile: BoxSize,
    selection: FrameStyle?,
    drawing: any PictureDrawing
  ) -> [FrameLine] {
    let name = titleWords(selection ?? .plain, columns: tile.columns)
    var lines = contentLines(tile, drawing: drawing)
    while lines.count < tile.lines { lines.append(FrameLine()) }
    return lines + [name]
  }

  /// The picture, if the row has one, and the words beside it.
  private func contentLines(
    _ layout: RowLayout,
    selection: FrameStyle?,
    drawing: any PictureDrawing
  ) -> [FrameLine] {
    let size = hasBox ? layout.box : nil
    let words = wordLines(layout, columns: layout.wordColumns(beside: size), selection: selection)
    guard let size else { return words }
    return zip(boxLines(size, drawing: drawing), words).map { box, words in
      var line = box
      line.append(" ")
      line.append(words)
      return line
    }
  }

  private func gutter(_ layout: RowLayout, selection: FrameStyle?, number: Int) -> FrameLine {
    let isSigned = isMarked && number == 0
    let style = FrameStyle(isBold: true, foreground: selection?.foreground)
    if layout.gutter == 1 {
      return FrameLine(isSigned ? "+" : selection != nil ? "▌" : " ", style)
    }
    var line = FrameLine(selection != nil ? "▌" : " ", style)
    if isSigned { line.append("+", .bold) }
    line.pad(toWidth: layout.gutter)
    return line
  }

  private func wordLines(
    _ layout: RowLayout,
    columns: Int,
    selection: FrameStyle?
  ) -> [FrameLine] {
    let title = titleLine(columns, selection: selection)
    let bodyCount = layout.contentHeight - 1
    switch bodyCount {
    case 0: return [title]
    case 1: return [title, summary(columns: columns)]
    default:
      var lines = bodyLines(columns: columns, count: bodyCount, .plain)
        .map { $0.truncated(toWidth: columns) }
      // They share a line with the text where there is room, and anyway on the last one.
      let width = (lines.last?.width ?? 0) + 2 + details(columns: columns).width
      let last = width <= columns || lines.count == bodyCount ? lines.popLast() : nil
      lines.append((last ?? FrameLine()).followed(byDetails: details, columns: columns))
      while lines.count < bodyCount { lines.append(FrameLine()) }
      return [title] + lines
    }
  }

  /// The title, with the date at the end of the line where both fit.
  private func titleLine(_ columns: Int, selection: FrameStyle?) -> FrameLine {
    let hasDate = columns >= date.displayWidth + 24
    let room = hasDate ? columns - date.displayWidth - 2 : columns
    var line = titleWords(selection ?? .bold, columns: room)
    guard hasDate else { return line }
    line.pad(toWidth: columns - date.displayWidth)
    line.append(date, .faint)
    return line
  }

  private func titleWords(_ style: FrameStyle, columns: Int) -> FrameLine {
    var line = FrameLine(isPinned ? "* " : "", style)
    line.append(marked(title.isEmpty ? untitled : title, columns: columns).line(style, marks))
    return line.truncated(toWidth: columns)
  }

  private var untitled: String { text.isEmpty ? "untitled" : text }

  /// The tags, and the facts that fewer people look for, as many as fit.
  private func details(columns: Int) -> FrameLine {
    let tags = tagLine(columns: columns)
    let number = "no. \(number)"
    let facts = [[flaw, byteCount, number], [flaw, number], [number]].lazy
      .map { FrameLine($0.filter { !$0.isEmpty }.joined(separator: "  "), .faint) }
      .map { tags.followed(by: $0) }
    return facts.first { $0.width <= columns } ?? tags.truncated(toWidth: columns)
  }

  /// The text or the facts on one line, for a row of only two lines.
  private func summary(columns: Int) -> FrameLine {
    (bodyLines(columns: 1000, count: 1, .faint).first ?? FrameLine())
      .followed(by: tagLine(columns: columns)).truncated(toWidth: columns)
  }

  private func tagLine(columns: Int) -> FrameLine {
    marked(tags, columns: columns).line(.faint, marks)
  }

  /// A text with its search matches.
  private func marked(_ text: String, columns: Int) -> MarkedText {
    // The part that is cut off need not be searched, except for a match across the edge.
    marks?.marked(String(text.prefix(columns + 100))) ?? MarkedText(text)
  }
}

extension FrameLine {
  /// This line and another one after it, with a gap between them.
  fileprivate func followed(by other: FrameLine) -> FrameLine {
    guard width > 0, other.width > 0 else { return width > 0 ? self : other }
    var line = self
    line.append("  ", .faint)
    line.append(other)
    return line
  }

  /// This line with details at its end, for which it is cut off if necessary.
  fileprivate func followed(
    byDetails details: (_ columns: Int) -> FrameLine,
    columns: Int
  ) -> FrameLine {
    // A long text leaves them half of the line.
    let end = details(width == 0 ? columns : max(columns / 2, columns - width - 2))
    guard end.width > 0 else { return self }
    var line = truncated(toWidth: max(0, columns - end.width - 2))
    line.pad(toWidth: columns - end.width)
    line.append(end)
    return line
  }
}
