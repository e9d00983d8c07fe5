import SnippetLoading
import SnippetMedia
import SnippetStorage
import TerminalKit

/// Draws the pictures and waveforms of rows, and of larger boxes, as symbols.
///
/// The loader's workers draw each one once, and the loader's cache keeps it: a frame only puts
/// lines together. Results of the decoders are kept in the store if it can be written.
struct RowPictures: PictureDrawing {
  let rules: RecipeRules
  let opening: PictureOpening?
  private let media: any MediaMaking
  private let colors: PictureColors
  private let cell: CellShape

  /// Prepares drawing.
  ///
  /// - Parameters:
  ///   - media: Decodes the blobs.
  ///   - colors: The colours that symbols may have.
  ///   - cell: The shape of the terminal's cells.
  init(media: any MediaMaking, colors: PictureColors, cell: CellShape = .usual) {
    self.media = media
    self.colors = colors
    self.cell = cell
    opening = PictureOpening(media: media, colors: colors, cell: cell)
    let makers = Self.processors(media, colors, cell, .inRow)
    rules = .ofRows(
      [TextProcessor.excerpt, makers.picture, makers.waveform],
      image: makers.picture.recipe,
      voice: makers.waveform.recipe
    )
  }

  func rules(for size: BoxSize) -> RecipeRules {
    let makers = Self.processors(media, colors, cell, size)
    return .ofBoxes(
      size,
      [makers.picture, makers.waveform],
      image: makers.picture.recipe,
      voice: makers.waveform.recipe
    )
  }

  private static func processors(
    _ media: any MediaMaking,
    _ colors: PictureColors,
    _ cell: CellShape,
    _ size: BoxSize
  ) -> (picture: PictureProcessor, waveform: WaveformLinesProcessor) {
    let cells = "\(size.columns) by \(size.lines) cells"
    let fit = PictureFit(.symbols(colors), in: size, cell: cell)
    return (
      PictureProcessor(
        recipe: Recipe("picture in \(cells)"),
        media: media,
        colors: colors,
        fit: fit
      ),
      WaveformLinesProcessor(recipe: Recipe("waveform in \(cells)"), colors: colors, size: size)
    )
  }

  func source(of store: SnippetStore) -> any BlobSource {
    MediaSource(store, media: media)
  }

  func lines(of blob: LoadedBlob, in size: BoxSize) -> [FrameLine]? {
    guard let box = blob.content(as: DrawnBox.self), box.size == size else { return nil }
    return box.lines
  }
}

/// The box of a row with its picture in the middle.
private struct DrawnBox: Sendable {
  let size: BoxSize
  let lines: [FrameLine]

  /// Centers lines in a box.
  init(_ drawn: [FrameLine], in box: BoxSize) {
    size = box
    lines = drawn.centered(in: box)
  }

  /// The approximate memory that it takes.
  var byteCount: Int {
    lines.reduce(0) { sum, line in
      line.pieces.reduce(sum + 64) {
        $0 + MemoryLayout<FrameLine.Piece>.stride + $1.text.utf8.count
      }
    }
  }
}

extension [FrameLine] {
  /// These lines in the middle of a box, all as wide as the box.
  func centered(in box: BoxSize) -> [FrameLine] {
    let above = Swift.max(0, (box.lines - count) / 2)
    return (0..<box.lines).map { number in
      var line = FrameLine()
      if indices.contains(number - above) {
        let drawn = self[number - above].truncated(toWidth: box.columns)
        line.pad(toWidth: (box.columns - drawn.width) / 2)
        line.append(drawn)
      }
      line.pad(toWidth: box.columns)
      return line
    }
  }
}

/// Draws images in the boxes of rows.
private struct PictureProcessor: BlobProcessor {
  let recipe: Recipe
  /// The size that `snip derive` makes ahead.
  let inputs = [Recipe.encodedThumbnail()]

  let media: any MediaMaking
  let colors: PictureColors
  let fit: PictureFit

  func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let picture: Thumbnail
    do throws(MediaError) {
      // The stored thumbnail is a file itself, and is decoded like any other.
      let request = ThumbnailRequest(
        maximumPixelSize: SnippetPicture.detail(of: .image, for: fit)
      )
      picture = try media.thumbnail(of: MediaInput(input.bytes), as: request) {
        context.isCancelled
      }
    } catch {
      throw LoadError(error)
    }
    let size = fit.size(pixelWidth: picture.pixelWidth, pixelHeight: picture.pixelHeight)
    guard let lines = PictureCanvas(size: size).lines(of: picture, colors: colors) else {
      throw LoadError(.undecodable)
    }
    let box = DrawnBox(lines, in: fit.room)
    try context.attach(box, byteCount: box.byteCount)
  }
}

/// Draws waveforms in the boxes of rows.
private struct WaveformLinesProcessor: BlobProcessor {
  /// More lines would show nothing more.
  private static let lineLimit = 12

  let recipe: Recipe
  let inputs = [Recipe.encodedWaveform()]

  let colors: PictureColors
  let size: BoxSize

  func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let drawn = BoxSize(columns: size.columns, lines: min(size.lines, Self.lineLimit))
    guard let lines = Waveform(bytes: input.bytes)?.lines(drawn, .waveform(colors)) else {
      throw LoadError(.undecodable)
    }
    let box = DrawnBox(lines, in: size)
    try context.attach(box, byteCount: box.byteCount)
  }
}
