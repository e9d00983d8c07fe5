import TerminalKit

/// The number of cells that a picture takes where there is room for more.
struct PictureFit {
  /// The most cells.
  let room: BoxSize
  /// The shape of a cell.
  let cell: CellShape
  /// The most pixels of the screen for one pixel of the picture, to each side.
  let maximumScale: Double

  /// Fits pictures into a room.
  ///
  /// Symbols may show one pixel as large as the width of a character, so that a tiny picture can be
  /// seen; true pixels are at most doubled.
  ///
  /// - Parameters:
  ///   - form: The way in which the picture is drawn.
  ///   - room: The most cells.
  ///   - cell: The shape of a cell.
  init(_ form: PictureForm, in room: BoxSize, cell: CellShape) {
    self.room = room
    self.cell = cell
    if case .symbols = form { maximumScale = Double(cell.width) } else { maximumScale = 2 }
  }

  /// The most pixels of a picture that are useful.
  var pixelLimit: Int {
    max(room.columns * cell.width, room.lines * cell.height)
  }

  /// The cells of a picture, at least one; its proportions are kept.
  ///
  /// - Parameters:
  ///   - width: The width of the picture in pixels.
  ///   - height: Its height.
  /// - Returns: The cells.
  func size(pixelWidth width: Int, pixelHeight height: Int) -> BoxSize {
    let (width, height) = (Double(max(1, width)), Double(max(1, height)))
    let scale = min(
      Double(room.columns * cell.width) / width,
      Double(room.lines * cell.height) / height,
      maximumScale
    )
    let columns = (width * scale / Double(cell.width)).rounded()
    let lines = (height * scale / Double(cell.height)).rounded()
    return BoxSize(
      columns: min(max(1, Int(columns)), max(1, room.columns)),
      lines: min(max(1, Int(lines)), max(1, room.lines))
    )
  }
}
