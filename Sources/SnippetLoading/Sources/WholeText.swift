public import SnippetStorage

extension Recipe {
  /// A whole text, as a `String`; ``WholeText`` computes it.
  public static let text = Recipe("text")
}

/// Computes the text of a snippet, decoded: a `String` as the content of the loaded blob.
///
/// It does so of short and of long texts alike, in any encoding. An edit of a text makes another
/// one, and a cell that shows it gets it, even where the preview in its row stays the same. Texts
/// larger than ``LoadPipeline/Configuration/maximumBlobByteCount`` fail: show the beginning of those
/// with a ``TextExcerpt``, and read them in pieces from the store.
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
  ///   - input: The text, in any encoding that is recognized.
  ///   - context: Takes the string.
  /// - Throws: ``LoadError/Code/undecodable`` when the bytes are no text; the error of the context.
  public func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let text = try input.decodedText()
    try context.attach(text, byteCount: text.utf8.count)
  }
}
