import SnippetLoading
import SnippetStorage
import TerminalKit

/// Draws the loaded content of a row as cells of the terminal.
///
/// Pictures and waveforms come in here; other content shows its facts in the box.
protocol PictureDrawing: Sendable {
  /// The recipes that the rows need, and their processors.
  var rules: RecipeRules { get }

  /// The same for boxes of another size, with as much of a text as fits into one.
  ///
  /// - Parameter size: The cells of a box.
  /// - Returns: The rules.
  func rules(for size: BoxSize) -> RecipeRules

  /// The source of the blobs of a store, for the loaders.
  func source(of store: SnippetStore) -> any BlobSource

  /// Draws a blob.
  ///
  /// This is quick, since slow work was done when the blob was loaded.
  ///
  /// - Parameters:
  ///   - blob: The loaded blob, by one of the recipes that the rules ask for.
  ///   - size: The cells of the box.
  /// - Returns: As many lines as the box has, none wider than it; `nil` when the blob cannot be
  ///   drawn.
  func lines(of blob: LoadedBlob, in size: BoxSize) -> [FrameLine]?

  /// Draws images and recordings over the whole screen; `nil` to show their facts instead.
  var opening: PictureOpening? { get }
}

extension PictureDrawing {
  /// Texts only: there is nothing to draw in a box.
  func rules(for size: BoxSize) -> RecipeRules { .ofBoxes(size, [], image: nil, voice: nil) }
}

/// Draws no pictures: every box shows the facts of its row.
struct FactsOnly: PictureDrawing {
  /// Beginnings of texts, and the originals of everything else.
  let rules = RecipeRules.ofRows([TextProcessor.excerpt], image: .original, voice: .original)

  func source(of store: SnippetStore) -> any BlobSource { StoreBlobs(store) }

  func lines(of blob: LoadedBlob, in size: BoxSize) -> [FrameLine]? { nil }

  var opening: PictureOpening? { nil }
}

extension RecipeRules {
  /// Rules for rows on screen: the beginning of a text, unless the preview is all of it.
  ///
  /// - Parameters:
  ///   - processors: The processors of the recipes.
  ///   - image: The recipe for images.
  ///   - voice: The recipe for recordings.
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
  /// Rules for boxes that are all that is on screen of a snippet, with as much of a text as fits.
  ///
  /// - Parameters:
  ///   - size: The cells of a box.
  ///   - processors: The processors of the other recipes.
  ///   - image: The recipe for images; `nil` to draw none.
  ///   - voice: The recipe for recordings; `nil` to draw none.
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
      processors: [TextProcessor(text, maximumCharacterCount: length)] + processors,
      recipes: [
        .text: [text],
        .image: [image].compactMap(\.self),
        .voice: [voice].compactMap(\.self),
      ]
    )
  }
}

/// The box of a row that shows words in place of a picture, in the same size.
struct FactsBox {
  let size: BoxSize
  /// Short words, safe to print; those that the box has no lines for are left out.
  let words: [String]
  /// A note at the lower edge, such as that the picture is on its way.
  var sign = ""

  /// The lines of the box.
  var lines: [FrameLine] {
    let inside = size.columns - 2
    let shown = words.prefix(max(0, size.lines - 2)).map {
      centered($0.truncated(toWidth: inside), in: inside)
    }
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
  /// The one size of boxes in rows, so that a picture is drawn once for all layouts.
  static let inRow = BoxSize(columns: 10, lines: 3)
}
