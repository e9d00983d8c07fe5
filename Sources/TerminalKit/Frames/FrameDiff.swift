/// Writes what turns one frame on a terminal into the next: the lines that differ, and no others.
package struct FrameDiff {
  /// Whether styles may be written.
  package var allowsStyles = true
  /// Whether the terminal shows a frame only when it is complete, if it is told where that ends.
  package var isSynchronized = false

  package init(allowsStyles: Bool = true, isSynchronized: Bool = false) {
    self.allowsStyles = allowsStyles
    self.isSynchronized = isSynchronized
  }

  /// The bytes to write.
  ///
  /// - Parameters:
  ///   - former: What the terminal shows; `nil` when that is not known, and then all is drawn.
  ///   - frame: What it is to show.
  /// - Returns: The sequences, texts and pixels; empty when nothing differs.
  package func bytes(from former: Frame?, to frame: Frame) -> [UInt8] {
    // No line of text tells where pixels of a former frame still are.
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
      // Where the widths of characters are uncertain, so is what of the former line is left behind.
      let isErased =
        !isRedraw && (line.hasUncertainWidth || former?.lines[number].hasUncertainWidth == true)
      if isErased { text += "\u{1B}[K" }
      text += line.written(allowsStyles: allowsStyles, isAligned: true)
      // In the last column the cursor stands still on what was written there.
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
