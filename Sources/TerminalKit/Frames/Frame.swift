/// The complete content of a screen at one moment.
package struct Frame: Hashable, Sendable {
  package let size: ScreenSize
  /// The lines: as many as the screen has, and none wider than it.
  package let lines: [FrameLine]
  /// A picture in pixels, drawn over the lines.
  package let picture: FramePicture?

  /// Makes a frame, and cuts off what does not fit the screen.
  ///
  /// - Parameters:
  ///   - size: The screen.
  ///   - lines: The lines from the top; missing ones are empty.
  ///   - picture: A picture in pixels to draw over the lines, if all its cells are on the screen.
  ///     The default is none.
  package init(size: ScreenSize, lines: [FrameLine], picture: FramePicture? = nil) {
    self.size = size
    var fitted = lines.prefix(size.lines).map { $0.truncated(toWidth: size.columns) }
    while fitted.count < size.lines { fitted.append(FrameLine()) }
    self.lines = fitted
    self.picture = picture.flatMap { $0.fits(size) ? $0 : nil }
  }

  /// The lines as plain text, without trailing spaces; each ends with a line feed.
  package var text: String {
    lines.map { line in
      let text = line.text
      let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex
      return text[..<end] + "\n"
    }
    .joined()
  }
}

/// A picture in pixels, with its place on a screen.
package struct FramePicture: Hashable, Sendable {
  /// The top line, counted from 0.
  package let line: Int
  /// The left column, counted from 0.
  package let column: Int
  /// The cells that the picture covers.
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

/// The bytes that draw a picture in the pixels of a terminal.
///
/// Each object is equal only to itself.
package final class FramePixels: Hashable, Sendable {
  /// The bytes that draw the picture at the cursor.
  package let bytes: [UInt8]
  /// The bytes that remove the picture, in addition to erasing the screen.
  package let erasing: [UInt8]

  package init(_ bytes: [UInt8], erasing: [UInt8] = []) {
    self.bytes = bytes
    self.erasing = erasing
  }

  package static func == (first: FramePixels, second: FramePixels) -> Bool { first === second }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
