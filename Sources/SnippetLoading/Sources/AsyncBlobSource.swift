public import SnippetStorage

/// Fetches the bytes of a load from where one has to wait: a network, a photo library.
///
/// Its loads run beside those of a ``BlobSource``, in tasks of their own: none holds a worker while
/// it waits. A load that no cell needs any more is cancelled as its task is.
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
  /// Whether the source gives what a recipe makes.
  ///
  /// It is asked for what the pipeline's ``BlobSource`` does not offer.
  ///
  /// - Parameter recipe: A recipe that rows need, or a processor can take as its input.
  /// - Returns: Whether ``fetch(_:into:)`` takes keys with it.
  func offers(_ recipe: Recipe) -> Bool

  /// Fetches what a recipe makes of a blob or a snippet into a context.
  ///
  /// - Parameters:
  ///   - key: What to fetch.
  ///   - context: Takes the bytes. What it is told of the size, and of the pieces as they come, the
  ///     cells can show as progress.
  /// - Throws: The error that the context threw, as it is; a ``LoadError``; any other error reaches
  ///   the cell as ``LoadError/Code/unreadable``, and is retried.
  func fetch(_ key: LoadKey, into context: inout LoadContext) async throws
}

/// Where the loads of a pipeline come from.
struct BlobSources: Sendable {
  let blocking: (any BlobSource)?
  let asynchronous: (any AsyncBlobSource)?

  /// Whether a source gives what a recipe makes.
  func offers(_ recipe: Recipe) -> Bool {
    blocking?.offers(recipe) == true || asynchronous?.offers(recipe) == true
  }

  /// Whether what a recipe makes has to be waited for.
  func isAsynchronous(_ recipe: Recipe) -> Bool {
    blocking?.offers(recipe) != true && asynchronous?.offers(recipe) == true
  }
}
