/// All that a screen shows at one moment.
package struct Frame: Hashable, Sendable {
  package let size: ScreenSize
  /// As many lines as the screen has, none wider than it.
  package let lines: [FrameLine]
  /// What is drawn over the lines, in pixels.
  package let picture: FramePicture?

  /// Makes a frame that fits its screen: what does not is cut off.
  ///
  /// - Parameters:
  ///   - size: The screen.
  ///   - lines: The lines from above; those that are left are empty.
  ///   - picture: What is drawn over them, in pixels, if its cells are all on the screen. The default
  ///     is nothing.
  package init(size: ScreenSize, lines: [FrameLine], picture: FramePicture? = nil) {
    self.size = size
    var fitted = lines.prefix(size.lines).map { $0.truncated(toWidth: size.columns) }
    while fitted.count < size.lines { fitted.append(FrameLine()) }
    self.lines = fitted
    self.picture = picture.flatMap { $0.fits(size) ? $0 : nil }
  }

  /// The lines as plain text, without spaces at their ends; each ends with a line feed.
  package var text: String {
    lines.map { line in
      let text = line.text
      let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex
      return text[..<end] + "\n"
    }
    .joined()
  }
}

/// Pixels at a place of a screen.
package struct FramePicture: Hashable, Sendable {
  /// The uppermost line, from 0.
  package let line: Int
  /// The leftmost column, from 0.
  package let column: Int
  /// The cells that it covers.
  package let size: BoxSize
  package let pixels: FramePixels

  package init(line: Int, column: Int, size: BoxSize, pixels: FramePixels) {
    self.line = line
    self.column = column
    self.size = size
    self.pixels = pixels
  }

  fileprivate func fits(_ screen: ScreenSize) -> Bool {
    line >= 0 && column >= 0 && line + size.lines <= screen.lines
      && column + size.columns <= screen.columns
  }
}

/// What draws a picture in the pixels of a terminal.
///
/// Each is equal to itself only.
package final class FramePixels: Hashable, Sendable {
  /// Draws it at the cursor.
  package let bytes: [UInt8]
  /// Takes it away, beside what erasing the screen takes.
  package let erasing: [UInt8]

  package init(_ bytes: [UInt8], erasing: [UInt8] = []) {
    self.bytes = bytes
    self.erasing = erasing
  }

  package static func == (first: FramePixels, second: FramePixels) -> Bool { first === second }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
