import SnippetBase
import SnippetMedia
import SnippetStorage
import TerminalKit

/// Draws images and recordings over the whole screen.
struct PictureOpening: Sendable {
  /// A picture, and what was drawn of it.
  struct Drawn: Sendable {
    let picture: SnippetPicture
    /// The cells that it was drawn for.
    let room: BoxSize
    /// How it was to be drawn.
    let form: PictureForm
    /// The lines; empty where there are pixels.
    let lines: [FrameLine]
    /// The pixels, and the cells that they cover.
    var pixels: (size: BoxSize, pixels: FramePixels)?
  }

  let media: any MediaMaking
  let colors: PictureColors
  let cell: CellShape

  /// How a picture is drawn on any terminal.
  var symbols: PictureForm { .symbols(colors) }

  /// Decodes and draws a snippet, apart from the main actor.
  ///
  /// - Parameters:
  ///   - row: An image or a recording.
  ///   - store: The store that it is in.
  ///   - room: The cells that there are.
  ///   - form: How a picture is drawn. The default is in symbols, as a waveform always is.
  /// - Returns: What was drawn.
  /// - Throws: ``MediaError``
  func picture(
    of row: SnippetRow,
    in store: SnippetStore,
    fitting room: BoxSize,
    as form: PictureForm? = nil
  ) async throws -> Drawn {
    // Enough for a screen twice as large, should it become larger.
    let fit = PictureFit(symbols, in: room, cell: cell)
    let picture = try await SnippetPicture.of(row, in: store, media: media, for: fit, growth: 2)
    guard let picture else { throw MediaError(.undecodable) }
    return try await draw(picture, fitting: room, as: form)
  }

  /// Draws what has been decoded, apart from the main actor.
  ///
  /// - Parameters:
  ///   - picture: What to draw.
  ///   - room: The cells that there are.
  ///   - form: How a picture is drawn. The default is in symbols, as a waveform always is.
  /// - Returns: What was drawn.
  /// - Throws: ``MediaError`` when it cannot be drawn.
  func draw(
    _ picture: SnippetPicture,
    fitting room: BoxSize,
    as form: PictureForm? = nil
  ) async throws -> Drawn {
    let form = form ?? symbols
    return try await OwnThreads.result { [colors, cell] in
      if case .image(let thumbnail) = picture, form.eraser != nil {
        let size = PictureFit(form, in: room, cell: cell)
          .size(pixelWidth: thumbnail.pixelWidth, pixelHeight: thumbnail.pixelHeight)
        if let bytes = PictureCanvas(size: size).bytes(of: thumbnail, as: form, cell: cell) {
          let pixels = FramePixels(bytes, erasing: form.eraser ?? [])
          return Drawn(
            picture: picture,
            room: room,
            form: form,
            lines: [],
            pixels: (size, pixels)
          )
        }
      }
      guard let lines = picture.lines(in: room, colors: colors, cell: cell)
      else { throw MediaError(.undecodable) }
      return Drawn(picture: picture, room: room, form: form, lines: lines)
    }
  }
}

extension PictureForm {
  /// What takes pixels away that erasing the screen does not; `nil` for symbols.
  fileprivate var eraser: [UInt8]? {
    switch self {
    case .kitty: Array("\u{1B}_Ga=d,d=A\u{1B}\\".utf8)
    case .sixels: []
    case .symbols: nil
    }
  }
}
