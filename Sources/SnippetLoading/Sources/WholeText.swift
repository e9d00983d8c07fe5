public import SnippetStorage

extension Recipe {
  /// A whole text, as a `String`; ``WholeText`` computes it.
  public static let text = Recipe("text")
}

/// Computes the text of a snippet, decoded: a `String` as the content of the loaded blob.
///
/// It takes short and long texts alike, in any encoding. After an edit of the text, cells that show
/// it get the new one, even if the preview in the row stays the same. Texts larger than
/// ``LoadPipeline/Configuration/maximumBlobByteCount`` fail: show their beginning with a
/// ``TextExcerpt``, and read them in pieces from the store.
///
/// ```swift
/// let rules = RecipeRules(processors: [WholeText()], recipes: [.text: [.text]])
/// ```
public struct WholeText: BlobProcessor {
  /// The whole text.
  public let recipe = Recipe.text

  /// Makes a processor.
  public init() {}

  /// Decodes a text; the content is a `String`, and there are no bytes.
  ///
  /// - Parameters:
  ///   - input: The text, in any recognized encoding.
  ///   - context: Takes the string.
  /// - Throws: ``LoadError/Code/undecodable`` when the bytes are not text; errors of the context.
  public func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let text = try input.decodedText()
    try context.attach(text, byteCount: text.utf8.count)
  }
}
