import SnippetBase
import SnippetMedia
import SnippetStorage
import TerminalKit

/// Draws images and recordings over the whole screen.
struct PictureOpening: Sendable {
  /// A picture, and the lines that were drawn of it.
  struct Drawn: Sendable {
    let picture: SnippetPicture
    /// The screen that they were drawn for.
    let size: ScreenSize
    let lines: [FrameLine]
  }

  let media: any MediaMaking
  let colors: PictureColors
  let cell: CellShape

  /// Decodes and draws a snippet, apart from the main actor.
  ///
  /// - Parameters:
  ///   - row: An image or a recording.
  ///   - store: The store that it is in.
  ///   - size: The screen.
  /// - Returns: What was drawn.
  /// - Throws: ``MediaError``
  func picture(
    of row: SnippetRow,
    in store: SnippetStore,
    on size: ScreenSize
  ) async throws -> Drawn {
    // Enough for a screen twice as large, should it become larger.
    let fit = PictureFit(.symbols(colors), in: PictureView.room(size), cell: cell)
    let picture = try await SnippetPicture.of(row, in: store, media: media, for: fit, growth: 2)
    guard let picture else { throw MediaError(.undecodable) }
    return try await draw(picture, on: size)
  }

  /// Draws what has been decoded, apart from the main actor.
  ///
  /// - Parameters:
  ///   - picture: What to draw.
  ///   - size: The screen.
  /// - Returns: What was drawn.
  /// - Throws: ``MediaError`` when it cannot be drawn.
  func draw(_ picture: SnippetPicture, on size: ScreenSize) async throws -> Drawn {
    try await OwnThreads.result { [colors, cell] in
      guard let lines = picture.lines(in: PictureView.room(size), colors: colors, cell: cell)
      else { throw MediaError(.undecodable) }
      return Drawn(picture: picture, size: size, lines: lines)
    }
  }
}
