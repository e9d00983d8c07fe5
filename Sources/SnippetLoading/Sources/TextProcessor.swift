public import SnippetStorage

extension Recipe {
  /// A whole text, as a `String`; ``TextProcessor/whole`` computes it.
  public static let text = Recipe("text")

  /// The beginning of a text, as a `String`; ``TextProcessor/excerpt`` computes it.
  public static let excerpt = Recipe("excerpt 2000")
}

/// Computes a text or its beginning, decoded: a `String` as the content of the loaded blob.
///
/// A row has the first 200 characters on one line, which is enough for most lists. For more of a
/// text, however long it is and in whatever encoding, use ``excerpt``: it reads at most the first
/// 64 KiB where the source offers ``SnippetStorage/Recipe/beginning``, as a store does.
///
/// After an edit of the text, cells that show ``whole`` get the new one, even if the preview in the
/// row stays the same. Texts larger than ``LoadPipeline/Configuration/maximumBlobByteCount`` fail:
/// show their beginning, and read them in pieces from the store.
///
/// ```swift
/// let rules = RecipeRules(processors: [TextProcessor.excerpt], recipes: [.text: [.excerpt]])
/// ```
public struct TextProcessor: BlobProcessor {
  /// Computes the first 2,000 characters of a text, by the recipe `excerpt`.
  public static let excerpt = Self(.excerpt, maximumCharacterCount: 2_000)

  /// Computes all of a text, by the recipe `text`.
  public static let whole = Self(.text, nil)

  /// The recipe that it computes.
  public let recipe: Recipe
  /// The beginning of a text, or all of it if that is wanted or there is no such source.
  public let inputs: [Recipe]
  /// The most characters; `nil` for all.
  private let maximumCharacterCount: Int?

  /// Makes a processor for the beginning of texts.
  ///
  /// - Parameters:
  ///   - recipe: The recipe that it computes; another length needs another recipe.
  ///   - maximumCharacterCount: The most characters, limited by 64 KiB of text.
  public init(_ recipe: Recipe, maximumCharacterCount: Int) {
    self.init(recipe, max(0, maximumCharacterCount))
  }

  private init(_ recipe: Recipe, _ maximumCharacterCount: Int?) {
    self.recipe = recipe
    self.maximumCharacterCount = maximumCharacterCount
    inputs = maximumCharacterCount == nil ? [.original] : [.beginning, .original]
  }

  /// Decodes a text or its beginning; the content is a `String`, and there are no bytes.
  ///
  /// - Parameters:
  ///   - input: The text or its beginning, in any recognized encoding.
  ///   - context: Takes the string.
  /// - Throws: ``LoadError/Code/undecodable`` when the bytes are not text; errors of the context.
  public func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    var text: String
    if let maximumCharacterCount {
      let isCut =
        input.key.recipe == .beginning && input.bytes.count >= Recipe.beginningByteCount
      // A character may consist of any number of code points.
      text = try input.decodedText(isCut: isCut, byteLimit: Recipe.beginningByteCount)
      text = String(text.prefix(maximumCharacterCount))
    } else {
      text = try input.decodedText()
    }
    try context.attach(text, byteCount: text.utf8.count)
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
