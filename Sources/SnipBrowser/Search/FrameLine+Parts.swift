import TerminalKit

extension FrameLine {
  /// Makes a line with some parts highlighted.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - style: The style of the rest.
  ///   - parts: The highlighted parts, in the order of the text. Two may share a character: a mark
  ///     that joins it.
  init(
    _ text: Substring,
    _ style: FrameStyle = .plain,
    parts: some Sequence<(characters: Range<String.Index>, style: FrameStyle)>
  ) {
    self.init()
    var position = text.startIndex
    for part in parts {
      let start = max(position, part.characters.lowerBound)
      let end = max(start, part.characters.upperBound)
      append(String(text[position..<start]), style)
      append(String(text[start..<end]), part.style)
      position = end
    }
    append(String(text[position...]), style)
  }
}
