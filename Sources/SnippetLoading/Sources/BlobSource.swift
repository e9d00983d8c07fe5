public import SnippetStorage

/// Reads the bytes of a load.
///
/// A store is one.
///
/// The loader calls it on its own threads, several at a time, so a source may block. It should hand
/// over a large blob in pieces, because a cancelled load ends at the next piece.
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
  /// Whether the source gives what a recipe makes of a blob.
  ///
  /// The default is `Recipe.original` alone: the bytes as they are.
  ///
  /// - Parameter recipe: A recipe that a processor can take as its input.
  /// - Returns: Whether ``read(_:into:)`` takes keys with it.
  func offers(_ recipe: Recipe) -> Bool

  /// Reads a blob or a short text, or what a recipe makes of it, into a context.
  ///
  /// Short texts come only where the rules want something of rows without a blob.
  ///
  /// - Parameters:
  ///   - key: What to read.
  ///   - context: Takes the bytes, and ends the load when no cell waits any more.
  /// - Throws: The error that ``LoadContext/append(_:)-(Data)`` threw, as it is; or a
  ///   ``LoadError``; any other error reaches the cell as ``LoadError/Code/unreadable``.
  func read(_ key: LoadKey, into context: inout LoadContext) throws
}

extension BlobSource {
  /// The bytes as they are, and nothing else.
  public func offers(_ recipe: Recipe) -> Bool { recipe == .original }
}
