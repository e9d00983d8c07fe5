internal import SnippetStorage

/// The beginning of a long text, decoded, as ``LoadedBlob/content``.
///
/// A short text is all in its row; one that is kept as a blob may be large and in any encoding, of
/// which a cell needs a few lines.
///
/// ```swift
/// let rules = VariantRules(processors: [TextExcerpt(.excerpt)]) { row, _ in
///   [row.kind == .text ? .excerpt : .original]
/// }
/// ```
public struct TextExcerpt: BlobProcessor {
  /// The variant that it makes.
  public let variant: BlobVariant
  /// The most characters of the excerpt.
  public let maximumCharacterCount: Int

  /// Makes a processor.
  ///
  /// - Parameters:
  ///   - variant: The variant that it makes.
  ///   - maximumCharacterCount: The most characters. The default is 2,000.
  public init(_ variant: BlobVariant, maximumCharacterCount: Int = 2_000) {
    self.variant = variant
    self.maximumCharacterCount = max(0, maximumCharacterCount)
  }

  /// Decodes the beginning of a text; the content is a `String`, and there are no bytes.
  ///
  /// - Parameters:
  ///   - input: The text, in any encoding that can be told.
  ///   - context: Takes the string.
  /// - Throws: ``LoadError/Code/undecodable`` when the bytes are no text; the error of the context.
  public func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    guard let encoding = TextEncoding.recognized(in: input.bytes) else {
      throw LoadError(.undecodable, reason: "its bytes are no text that can be told")
    }
    // No encoding needs more bytes for a character that is written alone.
    let text = encoding.decodePrefix(input.bytes.prefix(min(maximumCharacterCount, 1 << 40) * 8))
    let excerpt = String(text.prefix(maximumCharacterCount))
    try context.attach(excerpt, byteCount: excerpt.utf8.count)
  }
}
