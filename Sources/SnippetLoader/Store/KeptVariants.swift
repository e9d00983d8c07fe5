internal import Foundation
public import SnippetStore

/// Reads the blobs of a store, and makes variants of them that the store keeps: thumbnails, waveforms.
///
/// A variant that was made before, by this process or an earlier one, is read and not made again. What
/// it is made from is read only where it has to be made. The store keeps within its budget what was
/// used last, so a variant can have to be made again at any time.
///
/// ```swift
/// let source = KeptVariants(of: store, [
///   .init(Thumbnail(), recipe: DerivativeRecipe("thumbnail 320", version: 2))
/// ])
/// let loader = SnippetLoader(rows: list, source: source, changes: store) { row, _ in [.thumbnail] }
/// ```
///
/// Only bytes are kept. What a processor attaches for the cell reaches it when the variant is made,
/// and is missing when it is read; such a cell decodes the bytes, by another processor that has this
/// variant as its input.
public struct KeptVariants: BlobSource {
  /// A variant that is kept.
  public struct Variant: Sendable {
    /// What makes it, out of what the store has or of another variant that is kept.
    public let processor: any BlobProcessor
    /// Under what it is kept.
    public let recipe: DerivativeRecipe

    /// Has the result of a processor kept.
    ///
    /// - Parameters:
    ///   - processor: What makes the variant.
    ///   - recipe: Under what it is kept; another version has it made anew.
    public init(_ processor: any BlobProcessor, recipe: DerivativeRecipe) {
      self.processor = processor
      self.recipe = recipe
    }
  }

  private let store: SnippetStore
  private let variants: [BlobVariant: Variant]

  /// Makes a source of what a store has and keeps.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - variants: What is kept. No two may be the same variant, and none may be made from itself.
  public init(of store: SnippetStore, _ variants: [Variant]) {
    self.store = store
    // The rules of a loader hold for these as well.
    _ = VariantRules(processors: variants.map(\.processor))
    self.variants = Dictionary(
      uniqueKeysWithValues: variants.map { ($0.processor.variant, $0) }
    )
  }

  /// Reads a blob, or a variant that is kept; one that is not is made, and kept from then on.
  ///
  /// - Parameters:
  ///   - key: What to read.
  ///   - context: Takes the bytes, and ends the load when nobody waits for it any more.
  /// - Throws: The error of the context as it is; ``LoadError/Code/notFound`` when the blob is gone or
  ///   the variant unknown; the ``LoadError`` of the processor; the ``SnippetStoreError`` otherwise.
  public func read(_ key: LoadKey, into context: inout LoadContext) throws {
    guard let variant = variants[key.variant] else { return try store.read(key, into: &context) }
    if let bytes = try store.derivative(of: key.blobID, by: variant.recipe) {
      return try context.append(bytes)
    }
    let inputKey = LoadKey(blobID: key.blobID, variant: variant.processor.input)
    var inputContext = LoadContext(isCancelled: context.cancellation)
    try read(inputKey, into: &inputContext)
    var ownContext = LoadContext(isCancelled: context.cancellation)
    do {
      try variant.processor.process(inputContext.take(for: inputKey), into: &ownContext)
    } catch {
      throw LoadError(processingBlob: error)
    }
    let blob = ownContext.take(for: key)
    // Without it, it is made again the next time.
    _ = try? store.saveDerivatives([
      Derivative(blobID: key.blobID, recipe: variant.recipe, data: blob.bytes)
    ])
    try context.append(blob.bytes)
    if let content = blob.content {
      try context.attach(content, byteCount: blob.byteCount - blob.bytes.count)
    }
  }
}
