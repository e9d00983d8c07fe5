import SnippetBase

/// The cells of a terminal.
package struct TerminalGrid: Hashable, Sendable {
  package var columns: Int
  /// The lines; `nil` if the terminal does not report them.
  package var lines: Int?
  /// The shape of a cell; `nil` if the terminal does not report it.
  package var cell: CellShape?

  package init(columns: Int) {
    self.columns = columns
  }
}

extension TerminalGrid {
  /// Measures the terminal behind a file descriptor; `nil` if it does not report its width.
  package init?(descriptor: Int32) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    columns = Int(size.ws_col)
    guard size.ws_row > 0 else { return }
    lines = Int(size.ws_row)
    cell = CellShape(
      measuredWidth: Int(size.ws_xpixel) / Int(size.ws_col),
      height: Int(size.ws_ypixel) / Int(size.ws_row)
    )
  }
}

/// The size of a terminal's cell in pixels.
package struct CellShape: Hashable, Sendable {
  package let width: Int
  package let height: Int

  /// Twice as high as wide, for terminals that do not report it.
  package static let usual = CellShape(width: 10, height: 20)

  /// Accepts a size reported by a terminal, if it is plausible.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  package init?(measuredWidth width: Int, height: Int) {
    guard (2...200).contains(width), (2...200).contains(height), width <= height * 4,
      height <= width * 8
    else { return nil }
    self.init(width: width, height: height)
  }

  private init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
