public import SnippetStorage

extension Recipe {
  /// The beginning of a text, as a `String`; ``TextExcerpt`` computes it.
  public static let excerpt = Recipe("excerpt 2000")
}

/// Computes the beginning of a text, decoded: a `String` as the content of the loaded blob.
///
/// A row has the first 200 characters on one line, which is enough for most lists. For more of a
/// text, however long it is and in whatever encoding, use this: it reads at most the first 64 KiB
/// where the source offers ``SnippetStorage/Recipe/beginning``, as a store does. ``WholeText``
/// computes all of it.
///
/// ```swift
/// let rules = RecipeRules(processors: [TextExcerpt()], recipes: [.text: [.excerpt]])
/// ```
public struct TextExcerpt: BlobProcessor {
  /// The recipe that it computes.
  public let recipe: Recipe
  /// The most characters of the excerpt.
  public let maximumCharacterCount: Int
  /// The beginning of a text, or all of it if there is no such source.
  public let inputs: [Recipe] = [.beginning, .original]

  /// Makes a processor.
  ///
  /// - Parameters:
  ///   - recipe: The recipe that it computes; another length needs another recipe. The default is
  ///     the excerpt of a cell.
  ///   - maximumCharacterCount: The most characters, limited by 64 KiB of text. The default is
  ///     2,000.
  public init(_ recipe: Recipe = .excerpt, maximumCharacterCount: Int = 2_000) {
    self.recipe = recipe
    self.maximumCharacterCount = max(0, maximumCharacterCount)
  }

  /// Decodes the beginning of a text; the content is a `String`, and there are no bytes.
  ///
  /// - Parameters:
  ///   - input: The text or its beginning, in any recognized encoding.
  ///   - context: Takes the string.
  /// - Throws: ``LoadError/Code/undecodable`` when the bytes are not text; errors of the context.
  public func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let isCut =
      input.key.recipe == .beginning && input.bytes.count >= Recipe.beginningByteCount
    // No encoding needs more bytes for a single character.
    let needed = min(maximumCharacterCount, Recipe.beginningByteCount) * 8
    let text = try input.decodedText(isCut: isCut, byteLimit: needed)
    let excerpt = String(text.prefix(maximumCharacterCount))
    try context.attach(excerpt, byteCount: excerpt.utf8.count)
  }
}

extension LoadedBlob {
  /// The text of the bytes.
  ///
  /// - Parameters:
  ///   - isCut: Whether the text may go on after the bytes. The default is no.
  ///   - byteLimit: The most bytes to decode. The default is all.
  /// - Returns: The text.
  /// - Throws: ``LoadError/Code/undecodable`` when the bytes are not text.
  func decodedText(isCut: Bool = false, byteLimit: Int = .max) throws(LoadError) -> String {
    // A short text is kept as UTF-8, and may be too short to be recognized.
    let recognized: TextEncoding? =
      switch key.content {
      case .snippet: .utf8
      case .blob: isCut ? .recognized(inBeginning: bytes) : .recognized(in: bytes)
      }
    guard let encoding = recognized else {
      throw LoadError(.undecodable, reason: "its bytes are in no known text encoding")
    }
    let part = bytes.prefix(byteLimit)
    return isCut || part.count < bytes.count
      ? encoding.decodePrefix(part) : encoding.decode(part)
  }
}
