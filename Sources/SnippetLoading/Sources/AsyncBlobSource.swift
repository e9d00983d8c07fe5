public import SnippetStorage

/// Fetches the bytes of a load from a place that makes it wait: a network, a photo library.
///
/// Its loads run beside those of a ``BlobSource``, in tasks of their own, and hold no worker while
/// they wait. When no cell needs a load any more, its task is cancelled.
///
/// ```swift
/// struct CloudSource: AsyncBlobSource {
///   let cloud: Cloud
///
///   func offers(_ recipe: Recipe) -> Bool { recipe == .original }
///
///   func fetch(_ key: LoadKey, into context: inout LoadContext) async throws {
///     let object = try await cloud.object(named: "\(key)")
///     try context.reserve(byteCount: object.byteCount)
///     for try await piece in object.pieces { try context.append(piece) }
///   }
/// }
/// ```
public protocol AsyncBlobSource: Sendable {
  /// Whether the source has the results of a recipe.
  ///
  /// The pipeline asks for recipes that its ``BlobSource`` does not offer.
  ///
  /// - Parameter recipe: A recipe that rows need, or a processor can take as its input.
  /// - Returns: Whether ``fetch(_:into:)`` takes keys with it.
  func offers(_ recipe: Recipe) -> Bool

  /// Fetches the result of a recipe for a blob or a snippet into a context.
  ///
  /// - Parameters:
  ///   - key: The content and the recipe.
  ///   - context: Takes the bytes. Cells can show the announced size and the pieces that arrive as
  ///     progress.
  /// - Throws: Errors of the context, unchanged, or a ``LoadError``; any other error reaches the
  ///   cell as ``LoadError/Code/unreadable``, and is retried.
  func fetch(_ key: LoadKey, into context: inout LoadContext) async throws
}

/// The sources of a pipeline's loads.
struct BlobSources: Sendable {
  let blocking: (any BlobSource)?
  let asynchronous: (any AsyncBlobSource)?

  /// Whether a source has the results of a recipe.
  func offers(_ recipe: Recipe) -> Bool {
    blocking?.offers(recipe) == true || asynchronous?.offers(recipe) == true
  }

  /// Whether the results of a recipe come from the asynchronous source.
  func isAsynchronous(_ recipe: Recipe) -> Bool {
    blocking?.offers(recipe) != true && asynchronous?.offers(recipe) == true
  }
}
