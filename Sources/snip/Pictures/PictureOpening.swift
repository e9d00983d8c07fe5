import SnippetBase
import SnippetMedia
import SnippetStorage
import TerminalKit

/// Draws images and recordings over the whole screen.
struct PictureOpening: Sendable {
  /// A picture, and the lines that were drawn of it.
  struct Drawn: Sendable {
    let picture: SnippetPicture
    /// The cells that they were drawn for.
    let room: BoxSize
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
  ///   - room: The cells that there are.
  /// - Returns: What was drawn.
  /// - Throws: ``MediaError``
  func picture(
    of row: SnippetRow,
    in store: SnippetStore,
    fitting room: BoxSize
  ) async throws -> Drawn {
    // Enough for a screen twice as large, should it become larger.
    let fit = PictureFit(.symbols(colors), in: room, cell: cell)
    let picture = try await SnippetPicture.of(row, in: store, media: media, for: fit, growth: 2)
    guard let picture else { throw MediaError(.undecodable) }
    return try await draw(picture, fitting: room)
  }

  /// Draws what has been decoded, apart from the main actor.
  ///
  /// - Parameters:
  ///   - picture: What to draw.
  ///   - room: The cells that there are.
  /// - Returns: What was drawn.
  /// - Throws: ``MediaError`` when it cannot be drawn.
  func draw(_ picture: SnippetPicture, fitting room: BoxSize) async throws -> Drawn {
    try await OwnThreads.result { [colors, cell] in
      guard let lines = picture.lines(in: room, colors: colors, cell: cell)
      else { throw MediaError(.undecodable) }
      return Drawn(picture: picture, room: room, lines: lines)
    }
  }
}
