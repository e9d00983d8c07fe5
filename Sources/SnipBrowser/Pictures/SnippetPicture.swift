import SnippetBase
import SnippetMedia
import SnippetStorage
import TerminalKit

/// The visible content of an image or a recording, decoded and ready to be drawn in any size.
enum SnippetPicture: Sendable {
  case image(Thumbnail)
  case recording(Waveform)

  /// The most lines of a waveform; more would show nothing more.
  private static let waveformLineLimit = 12

  /// Decodes a snippet, on a thread that may block.
  ///
  /// - Parameters:
  ///   - row: An image or a recording.
  ///   - store: The store that it is in.
  ///   - media: Decodes the blob.
  ///   - fit: The room for drawing it.
  ///   - growth: The factor by which the room may grow. The default is 1.
  /// - Returns: The decoded content; `nil` for a text.
  /// - Throws: ``MediaError``
  static func of(
    _ row: SnippetRow,
    in store: SnippetStore,
    media: any MediaMaking,
    for fit: PictureFit,
    growth: Int = 1
  ) async throws -> SnippetPicture? {
    guard let blob = row.blobID else { return nil }
    let detail = growth * Self.detail(of: row.kind, for: fit)
    return try await OwnThreads.result {
      let input = try MediaInput(verified: blob, in: store) { false }
      switch row.kind {
      case .text: return nil
      case .image:
        let request = ThumbnailRequest(maximumPixelSize: detail)
        return .image(try media.thumbnail(of: input, as: request) { false })
      case .voice:
        return .recording(try media.waveform(of: input, peakCount: detail) { false })
      }
    }
  }

  /// The detail worth decoding for a drawing; the one place that decides it.
  ///
  /// - Parameters:
  ///   - kind: The kind of snippet.
  ///   - fit: The room for the drawing.
  /// - Returns: The pixels of a picture to each side, or the peaks of a waveform, two for each
  ///   cell.
  static func detail(of kind: SnippetKind, for fit: PictureFit) -> Int {
    kind == .voice ? 2 * fit.room.columns : fit.pixelLimit
  }

  /// Draws it in lines.
  ///
  /// - Parameters:
  ///   - room: The most cells.
  ///   - colors: The colours that symbols may have.
  ///   - cell: The shape of a cell.
  /// - Returns: The lines, within the room; `nil` when it cannot be drawn.
  func lines(in room: BoxSize, colors: PictureColors, cell: CellShape) -> [FrameLine]? {
    switch self {
    case .image(let picture):
      let size = PictureFit(.symbols(colors), in: room, cell: cell)
        .size(pixelWidth: picture.pixelWidth, pixelHeight: picture.pixelHeight)
      return PictureCanvas(size: size).lines(of: picture, colors: colors)
    case .recording(let waveform):
      guard room.lines >= 2 else { return waveform.lines(room, .waveform(colors)) }
      let height = min(room.lines - 1, Self.waveformLineLimit)
      let size = BoxSize(columns: room.columns, lines: height)
      guard let drawn = waveform.lines(size, .waveform(colors)) else { return nil }
      return drawn + [Self.timeLine(waveform.duration, columns: room.columns)]
    }
  }

  /// The start and end times of the recording.
  private static func timeLine(_ duration: Duration, columns: Int) -> FrameLine {
    let end = DurationText(duration).description
    var line = FrameLine(DurationText(.zero).description, .faint)
    guard line.width + end.displayWidth < columns else {
      return FrameLine(end.truncated(toWidth: columns), .faint)
    }
    line.append(String(repeating: " ", count: columns - line.width - end.displayWidth), .faint)
    line.append(end, .faint)
    return line
  }
}
