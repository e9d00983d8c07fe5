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
  /// - Returns: The sequences and texts; empty when nothing differs.
  package func bytes(from former: Frame?, to frame: Frame) -> [UInt8] {
    let isRedraw = former?.size != frame.size
    var text = isRedraw ? "\u{1B}[0m\u{1B}[2J" : ""
    for (number, line) in frame.lines.enumerated() {
      if isRedraw {
        if line.width == 0 { continue }
      } else if line == former?.lines[number] {
        continue
      }
      text += "\u{1B}[\(number + 1);1H"
      text += line.written(allowsStyles: allowsStyles)
      // In the last column the cursor stands still on what was written there.
      if line.width < frame.size.columns, !isRedraw { text += "\u{1B}[K" }
    }
    guard !text.isEmpty else { return [] }
    return Array((isSynchronized ? "\u{1B}[?2026h\(text)\u{1B}[?2026l" : text).utf8)
  }
}
