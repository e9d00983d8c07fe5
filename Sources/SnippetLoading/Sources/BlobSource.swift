public import SnippetStorage

/// Reads the bytes of a load.
///
/// A store is a blob source.
///
/// The loader calls it on its own threads, several at a time, so a source may block. Hand over a
/// large blob in pieces, because a cancelled load ends at the next piece.
///
/// ```swift
/// struct FileSource: BlobSource {
///   let folder: URL
///
///   func read(_ key: LoadKey, into context: inout LoadContext) throws {
///     guard let blob = key.blobID else { throw LoadError(.recipeUnavailable) }
///     let file = try FileHandle(forReadingFrom: folder.appending(path: "\(blob)"))
///     while let piece = try file.read(upToCount: 65_536) {
///       try context.append(piece)
///     }
///   }
/// }
/// ```
public protocol BlobSource: Sendable {
  /// Whether the source has the results of a recipe.
  ///
  /// The default is `Recipe.original` alone: the bytes as they are.
  ///
  /// - Parameter recipe: A recipe that a processor can take as its input.
  /// - Returns: Whether ``read(_:into:)`` takes keys with it.
  func offers(_ recipe: Recipe) -> Bool

  /// Reads a blob or a short text, or the result of a recipe for it, into a context.
  ///
  /// Short texts are only read if the rules want a recipe for rows without a blob.
  ///
  /// - Parameters:
  ///   - key: The content and the recipe.
  ///   - context: Takes the bytes, and ends the load when no cell waits any more.
  /// - Throws: Errors of ``LoadContext/append(_:)-(Data)``, unchanged, or a ``LoadError``; any
  ///   other error reaches the cell as ``LoadError/Code/unreadable``.
  func read(_ key: LoadKey, into context: inout LoadContext) throws
}

extension BlobSource {
  /// The bytes as they are, and nothing else.
  public func offers(_ recipe: Recipe) -> Bool { recipe == .original }
}
