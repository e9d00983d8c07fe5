import SnipCore
import SnippetMedia
package import SnippetStorage
package import TerminalKit

/// Writes pictures and waveforms into the lines of an output, which continues below them.
package struct PicturePrint {
  /// The most columns of a waveform.
  private static let waveformColumnLimit = 100
  /// The lines of a waveform, with its time.
  private static let waveformLineCount = 7

  private let form: PictureForm
  private let output: ConsoleStream

  /// Writes into an output.
  ///
  /// - Parameters:
  ///   - form: The form of pictures.
  ///   - output: The output.
  package init(form: PictureForm, output: ConsoleStream) {
    (self.form, self.output) = (form, output)
  }

  /// Writes an image or a recording, and ends its line.
  ///
  /// Another process decodes it.
  ///
  /// - Parameters:
  ///   - row: The snippet; a text, or one that cannot be drawn, writes nothing.
  ///   - store: The store that it is in.
  /// - Throws: `MediaError` when it cannot be decoded; errors of reading; `ConsoleError`.
  package func write(_ row: SnippetRow, of store: SnippetStore) async throws {
    let picture = try await SnippetPicture.of(
      row,
      in: store,
      media: WorkerMedia.ofThisProgram(),
      for: fit(for: row.kind)
    )
    guard let picture else { return }
    if case .image = picture, let missing = DecoderAdvice().missingDrawing {
      try output.writeLine("Not drawn: \(missing.reason); \(missing.remedy).")
    } else {
      try write(picture)
    }
  }

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

  /// The room for a snippet of a kind.
  private func fit(for kind: SnippetKind) -> PictureFit {
    PictureFit(form, in: kind == .voice ? waveformRoom : room, cell: output.device.cell)
  }

  /// Writes a picture or a waveform, and ends its line.
  ///
  /// - Parameter picture: The picture; one that cannot be drawn is skipped.
  /// - Throws: ``ConsoleError``
  private func write(_ picture: SnippetPicture) throws {
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
