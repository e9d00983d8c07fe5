import SnippetBase
import SnippetMedia
import SnippetStorage
import TerminalKit

/// Draws images and recordings over the whole screen.
struct PictureOpening: Sendable {
  /// A picture in the form in which it was drawn.
  struct Drawn: Sendable {
    let picture: SnippetPicture
    /// The cells that it was drawn for.
    let room: BoxSize
    /// The requested form.
    let form: PictureForm
    /// The lines; empty where there are pixels.
    let lines: [FrameLine]
    /// The pixels, and the cells that they cover.
    var pixels: (size: BoxSize, pixels: FramePixels)?
  }

  let media: any MediaMaking
  let colors: PictureColors
  let cell: CellShape

  /// The form that works on any terminal.
  var symbols: PictureForm { .symbols(colors) }

  /// Decodes and draws a snippet, off the main actor.
  ///
  /// - Parameters:
  ///   - row: An image or a recording.
  ///   - store: The store that it is in.
  ///   - room: The available cells.
  ///   - form: The form of a picture. The default is symbols; a waveform always uses them.
  /// - Returns: The drawn picture.
  /// - Throws: ``MediaError``
  func picture(
    of row: SnippetRow,
    in store: SnippetStore,
    fitting room: BoxSize,
    as form: PictureForm? = nil
  ) async throws -> Drawn {
    // Enough for a screen twice as large, in case it is resized.
    let fit = PictureFit(symbols, in: room, cell: cell)
    let picture = try await SnippetPicture.of(row, in: store, media: media, for: fit, growth: 2)
    guard let picture else { throw MediaError(.undecodable) }
    return try await draw(picture, fitting: room, as: form)
  }

  /// Draws a decoded picture, off the main actor.
  ///
  /// - Parameters:
  ///   - picture: The decoded picture.
  ///   - room: The available cells.
  ///   - form: The form of a picture. The default is symbols; a waveform always uses them.
  /// - Returns: The drawn picture.
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
  /// The bytes that remove pixels, which erasing the screen does not; `nil` for symbols.
  fileprivate var eraser: [UInt8]? {
    switch self {
    case .kitty: Array("\u{1B}_Ga=d,d=A\u{1B}\\".utf8)
    case .sixels: []
    case .symbols: nil
    }
  }
}
