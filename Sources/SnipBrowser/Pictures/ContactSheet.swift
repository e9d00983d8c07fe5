import SnipCore
import SnippetMedia
package import SnippetStorage
package import TerminalKit

/// A grid of small pictures and waveforms, each above its title.
package struct ContactSheet {
  /// The cells of a picture.
  private static let box = BoxSize(columns: 18, lines: 6)
  /// The columns between two pictures.
  private static let gap = 2

  private let colors: PictureColors
  private let cell: CellShape
  private let columns: Int
  private let media = WorkerMedia.ofThisProgram()
  private var tiles: [[FrameLine]] = []

  /// Makes an empty sheet.
  ///
  /// - Parameters:
  ///   - form: The abilities of the terminal; the sheet is always drawn in symbols.
  ///   - device: The terminal.
  ///   - environment: The environment variables.
  package init(_ form: PictureForm, device: OutputDevice, environment: [String: String]) {
    if case .symbols(let colors) = form {
      self.colors = colors
    } else {
      colors = TerminalAbilities(environment: environment).colors
    }
    cell = device.cell
    columns = device.width
  }

  /// Adds an image or a recording; one that cannot be decoded shows its facts.
  ///
  /// - Parameters:
  ///   - row: The image or recording.
  ///   - store: The store that it is in.
  /// - Throws: Errors of reading, but not of decoding.
  package mutating func add(_ row: SnippetRow, of store: SnippetStore) async throws {
    let box = Self.box
    var drawn: [FrameLine]?
    do {
      let fit = PictureFit(.symbols(colors), in: box, cell: cell)
      let picture = try await SnippetPicture.of(row, in: store, media: media, for: fit)
      drawn = picture?.lines(in: box, colors: colors, cell: cell)
    } catch is MediaError {
      // The facts are shown instead.
    }
    let name = ContentType(mediaType: row.mediaType)?.name ?? row.kind.name
    let lines = drawn ?? FactsBox(size: box, words: [name, row.factsText], sign: "!").lines
    var title = FrameLine(
      TerminalText(row.title, lines: .folded).description.truncated(toWidth: box.columns)
    )
    title.pad(toWidth: box.columns)
    tiles.append(lines.centered(in: box) + [title])
  }

  /// The lines of the sheet, with an empty one between two rows of pictures.
  package var lines: [FrameLine] {
    let count = max(1, (columns + Self.gap) / (Self.box.columns + Self.gap))
    return stride(from: 0, to: tiles.count, by: count).flatMap { start in
      let row = tiles[start..<min(tiles.count, start + count)]
      let lines = (0...Self.box.lines).map { number in
        row.enumerated().reduce(into: FrameLine()) { line, tile in
          if tile.offset > 0 { line.append(String(repeating: " ", count: Self.gap)) }
          line.append(tile.element[number])
        }
        .truncated(toWidth: columns)
      }
      return (start == 0 ? [] : [FrameLine()]) + lines
    }
  }
}
