import SnippetMedia
import SnippetStorage
import TerminalKit

/// Writes pictures and waveforms into the lines of an output, which go on below.
struct PicturePrint {
  /// The most columns of a waveform.
  private static let waveformColumnLimit = 100
  /// The lines of a waveform, with its time.
  private static let waveformLineCount = 7

  /// How pictures are written.
  let form: PictureForm
  /// Where they go.
  let output: ConsoleStream

  /// The most cells of a picture: the whole width, and two thirds of the height.
  private var room: BoxSize {
    BoxSize(
      columns: min(output.device.width, ScreenSize.maximum.columns),
      lines: min(max(1, output.device.height * 2 / 3), ScreenSize.maximum.lines)
    )
  }

  private var waveformRoom: BoxSize {
    BoxSize(
      columns: min(room.columns, Self.waveformColumnLimit),
      lines: min(room.lines, Self.waveformLineCount)
    )
  }

  private var colors: PictureColors {
    if case .symbols(let colors) = form { return colors }
    return output.device.allowsColor ? .sixteen : .none
  }

  /// Where a snippet of a kind is drawn.
  func fit(for kind: SnippetKind) -> PictureFit {
    PictureFit(form, in: kind == .voice ? waveformRoom : room, cell: output.device.cell)
  }

  /// Writes a picture or a waveform, and ends its line.
  ///
  /// - Parameter picture: What to write; what cannot be drawn is skipped.
  /// - Throws: ``ConsoleError``
  func write(_ picture: SnippetPicture) throws {
    let cell = output.device.cell
    switch (picture, form) {
    case (.image(let thumbnail), .kitty), (.image(let thumbnail), .sixels):
      let size = fit(for: .image)
        .size(pixelWidth: thumbnail.pixelWidth, pixelHeight: thumbnail.pixelHeight)
      guard let bytes = PictureCanvas(size: size).bytes(of: thumbnail, as: form, cell: cell)
      else { return }
      try output.write(contentsOf: bytes)
      try output.writeLine()
    case (.image, .symbols), (.recording, _):
      var room = room
      if case .recording = picture { room = waveformRoom }
      for line in picture.lines(in: room, colors: colors, cell: cell) ?? [] {
        try output.writeLine(line.written(allowsStyles: output.device.allowsColor))
      }
    }
  }
}
