public import SnippetStorage

extension Recipe {
  /// The beginning of a long text, as a `String`; ``TextExcerpt`` computes it.
  public static let excerpt = Recipe("excerpt 2000")
}

/// Computes the beginning of a long text, decoded: a `String` as the content of the loaded blob.
///
/// A short text is all in its row. One that is kept as a blob may be large and in any encoding, and
/// a cell needs a few lines of it.
///
/// ```swift
/// let rules = RecipeRules(processors: [TextExcerpt()]) { row, _ in
///   [row.kind == .text ? .excerpt : .original]
/// }
/// ```
public struct TextExcerpt: BlobProcessor {
  /// What it computes.
  public let recipe: Recipe
  /// The most characters of the excerpt.
  public let maximumCharacterCount: Int

  /// Makes a processor.
  ///
  /// - Parameters:
  ///   - recipe: What it computes; another length needs another recipe. The default is the excerpt
  ///     of a cell.
  ///   - maximumCharacterCount: The most characters. The default is 2,000.
  public init(_ recipe: Recipe = .excerpt, maximumCharacterCount: Int = 2_000) {
    self.recipe = recipe
    self.maximumCharacterCount = max(0, maximumCharacterCount)
  }

  /// Decodes the beginning of a text; the content is a `String`, and there are no bytes.
  ///
  /// - Parameters:
  ///   - input: The text, in any encoding that is recognized.
  ///   - context: Takes the string.
  /// - Throws: ``LoadError/Code/undecodable`` when the bytes are no text; the error of the context.
  public func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    guard let encoding = TextEncoding.recognized(in: input.bytes) else {
      throw LoadError(.undecodable, reason: "its bytes are in no known text encoding")
    }
    // No encoding needs more bytes for a character that is written alone.
    let text = encoding.decodePrefix(input.bytes.prefix(min(maximumCharacterCount, 1 << 40) * 8))
    let excerpt = String(text.prefix(maximumCharacterCount))
    try context.attach(excerpt, byteCount: excerpt.utf8.count)
  }
}
