/// Writes the lines that differ between two frames, which turns one into the other on a terminal.
package struct FrameDiff {
  /// Whether styles may be written.
  package var allowsStyles = true
  /// Whether the terminal can hold back a frame until it is complete.
  package var isSynchronized = false

  package init(allowsStyles: Bool = true, isSynchronized: Bool = false) {
    self.allowsStyles = allowsStyles
    self.isSynchronized = isSynchronized
  }

  /// Returns the bytes to write.
  ///
  /// - Parameters:
  ///   - former: The frame on the terminal; `nil` if it is unknown, and then everything is drawn.
  ///   - frame: The frame to show.
  /// - Returns: The sequences, texts and pixels; empty if the frames are equal.
  package func bytes(from former: Frame?, to frame: Frame) -> [UInt8] {
    // Lines of text do not tell where pixels of a former frame remain.
    let outdated = former?.picture == frame.picture ? nil : former?.picture
    let isRedraw = former?.size != frame.size || outdated != nil
    var text = isRedraw ? "\u{1B}[0m\u{1B}[2J" : ""
    for (number, line) in frame.lines.enumerated() {
      if isRedraw {
        if line.width == 0 { continue }
      } else if line == former?.lines[number] {
        continue
      }
      if !isRedraw, let former = former?.lines[number],
        let (begun, rest) = line.divided(behindBeginningOf: former)
      {
        text += "\u{1B}[\(number + 1);\(begun + 1)H" + rest.written(allowsStyles: allowsStyles)
        if line.width < frame.size.columns { text += "\u{1B}[K" }
        continue
      }
      text += "\u{1B}[\(number + 1);1H"
      // If the widths of characters are uncertain, so are the remains of the former line.
      let isErased =
        !isRedraw && (line.hasUncertainWidth || former?.lines[number].hasUncertainWidth == true)
      if isErased { text += "\u{1B}[K" }
      text += line.written(allowsStyles: allowsStyles, isAligned: true)
      // After writing in the last column, the cursor stays on that character.
      if line.width < frame.size.columns, !isRedraw, !isErased { text += "\u{1B}[K" }
    }
    var bytes = Array(text.utf8)
    if let picture = frame.picture, isRedraw || former?.picture == nil {
      bytes += "\u{1B}[\(picture.line + 1);\(picture.column + 1)H".utf8
      bytes += picture.pixels.bytes
    }
    if let outdated { bytes = outdated.pixels.erasing + bytes }
    guard !bytes.isEmpty, isSynchronized else { return bytes }
    return Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
  }
}
