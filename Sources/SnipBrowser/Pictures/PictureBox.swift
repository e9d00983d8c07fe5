import SnippetLoading
import SnippetStorage
import TerminalKit

/// Draws what was loaded for a row as cells of the terminal.
///
/// This is where pictures and waveforms come in; what is not drawn shows its facts in the box.
protocol PictureDrawing: Sendable {
  /// Which recipes of their blobs the rows need for it, and how those are made.
  var rules: RecipeRules { get }

  /// The same for boxes of another size, and for as much of a text as fits into one.
  ///
  /// - Parameter size: The cells of a box.
  /// - Returns: The rules.
  func rules(for size: BoxSize) -> RecipeRules

  /// Where the loaders have the blobs of a store from.
  func source(of store: SnippetStore) -> any BlobSource

  /// Draws a blob; quick, since what takes time was done when the blob was loaded.
  ///
  /// - Parameters:
  ///   - blob: What was loaded, in one of the recipes that the rules ask for.
  ///   - size: The cells of the box.
  /// - Returns: As many lines as the box has, none wider than it; `nil` when the blob cannot be
  ///   drawn.
  func lines(of blob: LoadedBlob, in size: BoxSize) -> [FrameLine]?

  /// What draws images and recordings over the whole screen; `nil` when that shows their facts.
  var opening: PictureOpening? { get }
}

extension PictureDrawing {
  /// Texts alone: there is nothing to draw in a box.
  func rules(for size: BoxSize) -> RecipeRules { .ofBoxes(size, [], image: nil, voice: nil) }
}

/// Draws no pictures: every box shows the facts of its row.
struct FactsOnly: PictureDrawing {
  /// Beginnings of texts, and the originals of all else.
  let rules = RecipeRules.ofRows([TextExcerpt()], image: .original, voice: .original)

  func source(of store: SnippetStore) -> any BlobSource { StoreBlobs(store) }

  func lines(of blob: LoadedBlob, in size: BoxSize) -> [FrameLine]? { nil }

  var opening: PictureOpening? { nil }
}

extension RecipeRules {
  /// What rows on screen need: of a text its beginning, unless the preview is all of it.
  ///
  /// - Parameters:
  ///   - processors: What computes the recipes.
  ///   - image: What is drawn of an image.
  ///   - voice: What is drawn of a recording.
  /// - Returns: The rules.
  static func ofRows(
    _ processors: [any BlobProcessor],
    image: Recipe,
    voice: Recipe
  ) -> RecipeRules {
    let wanted: (text: [Recipe], image: [Recipe], voice: [Recipe]) = ([.excerpt], [image], [voice])
    return RecipeRules(processors: processors, recipes: [.excerpt, image, voice]) { row, _ in
      switch row.kind {
      case .text: row.byteCount > row.preview.utf8.count ? wanted.text : []
      case .image: wanted.image
      case .voice: wanted.voice
      }
    }
  }
}

extension RecipeRules {
  /// What boxes need that are all there is on screen of a snippet: of a text as much as fits.
  ///
  /// - Parameters:
  ///   - size: The cells of a box.
  ///   - processors: What computes the other recipes.
  ///   - image: What is drawn of an image; `nil` when nothing is.
  ///   - voice: What is drawn of a recording; `nil` when nothing is.
  /// - Returns: The rules.
  static func ofBoxes(
    _ size: BoxSize,
    _ processors: [any BlobProcessor],
    image: Recipe?,
    voice: Recipe?
  ) -> RecipeRules {
    let length = size.columns * size.lines
    let text = Recipe("excerpt \(length)")
    return RecipeRules(
      processors: [TextExcerpt(text, maximumCharacterCount: length)] + processors,
      recipes: [
        .text: [text],
        .image: [image].compactMap(\.self),
        .voice: [voice].compactMap(\.self),
      ]
    )
  }
}

/// The box of a row that shows words in the place of a picture, of the same size as that.
struct FactsBox {
  let size: BoxSize
  /// At most two short words, safe to print.
  let words: [String]
  /// What stands in the lower edge, such as that the picture is on its way.
  var sign = ""

  /// The lines of the box.
  var lines: [FrameLine] {
    let inside = size.columns - 2
    let shown = words.map { centered($0.truncated(toWidth: inside), in: inside) }
    let padding = size.lines - 2 - shown.count
    let contents = shown + Array(repeating: String(repeating: " ", count: inside), count: padding)
    let edge = String(repeating: "─", count: inside - sign.displayWidth)
    return [FrameLine("┌\(String(repeating: "─", count: inside))┐", .faint)]
      + contents.map { content in
        var line = FrameLine("│", .faint)
        line.append(content)
        line.append("│", .faint)
        return line
      }
      + [FrameLine("└\(edge)\(sign)┘", .faint)]
  }

  private func centered(_ text: String, in columns: Int) -> String {
    let space = columns - text.displayWidth
    return String(repeating: " ", count: space / 2) + text
      + String(repeating: " ", count: space - space / 2)
  }
}

extension BoxSize {
  /// The one size of boxes in rows, so that a picture is drawn once and not for each layout.
  static let inRow = BoxSize(columns: 10, lines: 4)
}
