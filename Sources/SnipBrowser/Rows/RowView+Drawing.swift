import TerminalKit

extension RowView {
  /// Draws the row again.
  func draw(_ layout: RowLayout, isSelected: Bool, drawing: any PictureDrawing) -> [FrameLine] {
    if let tile = layout.tile {
      return tileLines(layout, tile, isSelected: isSelected, drawing: drawing)
    }
    let box = layout.box.map { boxLines($0, drawing: drawing) } ?? []
    let texts = textLines(layout, isSelected: isSelected)
    return (0..<layout.height).map { number in
      var line = gutter(layout, isSelected: isSelected, number: number)
      if box.indices.contains(number) {
        line.append(box[number])
        line.append(" ")
      }
      if texts.indices.contains(number) { line.append(texts[number]) }
      return line
    }
  }

  /// The picture or the beginning of the text, above its title.
  private func tileLines(
    _ layout: RowLayout,
    _ tile: BoxSize,
    isSelected: Bool,
    drawing: any PictureDrawing
  ) -> [FrameLine] {
    let style = FrameStyle(isBold: isSelected, isReversed: isSelected)
    var name = FrameLine(isPinned ? "* " : "", style)
    name.append(marked(title.isEmpty ? untitled : title, columns: tile.columns).line(style, marks))
    var lines = contentLines(tile, drawing: drawing) + [name.truncated(toWidth: tile.columns)]
    while lines.count < layout.height - 1 { lines.insert(FrameLine(), at: lines.count - 1) }
    return lines.enumerated().map { number, content in
      var line = gutter(layout, isSelected: isSelected, number: number)
      line.append(content)
      return line
    } + [FrameLine()]
  }

  private func gutter(_ layout: RowLayout, isSelected: Bool, number: Int) -> FrameLine {
    let isSigned = isMarked && number == 0
    if layout.gutter == 1 { return FrameLine(isSigned ? "+" : isSelected ? "▌" : " ", .bold) }
    var line = FrameLine(isSelected ? "▌" : " ", .bold)
    if isSigned { line.append("+", .bold) }
    line.pad(toWidth: layout.gutter)
    return line
  }

  private func textLines(_ layout: RowLayout, isSelected: Bool) -> [FrameLine] {
    let columns = layout.textColumns
    let title = titleLine(columns, isSelected: isSelected)
    let bodyCount = max(0, layout.height - 2)
    switch layout.height {
    case 1: return [title]
    case 2: return [title, summary(columns: columns).truncated(toWidth: columns)]
    default:
      var lines = bodyLines(columns: columns, count: bodyCount, .plain)
        .map { $0.truncated(toWidth: columns) }
      while lines.count < bodyCount { lines.append(FrameLine()) }
      return [title] + lines + [details(columns: columns).truncated(toWidth: columns)]
    }
  }

  /// The title, with the date at the end of the line where both fit.
  private func titleLine(_ columns: Int, isSelected: Bool) -> FrameLine {
    let hasDate = columns >= date.displayWidth + 24
    let room = hasDate ? columns - date.displayWidth - 2 : columns
    let style = FrameStyle(isBold: true, isReversed: isSelected)
    var line = FrameLine(isPinned ? "* " : "", style)
    line.append(marked(title.isEmpty ? untitled : title, columns: room).line(style, marks))
    line = line.truncated(toWidth: room)
    guard hasDate else { return line }
    line.pad(toWidth: columns - date.displayWidth)
    line.append(date, .faint)
    return line
  }

  private var untitled: String { text.isEmpty ? "untitled" : text }

  /// All facts of the snippet besides its title and text.
  private func details(columns: Int) -> FrameLine {
    let facts = [number, byteCount].filter { !$0.isEmpty }.joined(separator: "  ")
    return FrameLine(facts, .faint).followed(by: tagLine(columns: columns))
  }

  /// The text or the facts on one line, for a row of only two lines.
  private func summary(columns: Int) -> FrameLine {
    (bodyLines(columns: 1000, count: 1, .faint).first ?? FrameLine())
      .followed(by: tagLine(columns: columns))
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
}
