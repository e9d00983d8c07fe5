internal import Foundation
public import SnippetStorage

extension SnippetStore: BlobSource {
  /// Whether a recipe is the original or its beginning.
  ///
  /// - Parameter recipe: The recipe.
  /// - Returns: Whether ``read(_:into:)`` takes it.
  public func offers(_ recipe: Recipe) -> Bool { recipe == .original || recipe == .beginning }

  /// Reads a blob or a short text of the store, into memory that the loaded blob takes over.
  ///
  /// A text is read as it is now, which may be a later revision than the key's.
  ///
  /// - Parameters:
  ///   - key: What to read: the original, or its beginning. Of a short text they are its UTF-8.
  ///   - context: Takes the bytes, and ends the load at the next MiB when no cell waits any more.
  /// - Throws: The error of the context as it is; ``LoadError/Code/notFound`` when the blob or the
  ///   snippet is gone; ``LoadError/Code/recipeUnavailable`` for any other recipe; the
  ///   `SnippetStoreError` otherwise.
  public func read(_ key: LoadKey, into context: inout LoadContext) throws {
    guard offers(key.recipe) else { throw LoadError(missing: key.recipe) }
    let range = key.recipe == .beginning ? 0..<Int64(Recipe.beginningByteCount) : nil
    do {
      switch (key.content, range) {
      case (.blob(let id), nil):
        try context.append(blob(id) { try context.check(byteCount: $0) })
      case (.blob(let id), let range?):
        try context.append(blockingBytes(of: id, in: range))
      case (.text(let id, _), let range):
        try context.append(blockingBytes(of: id, in: range))
      }
    } catch let error as SnippetStoreError where error.code == .notFound {
      throw LoadError(.notFound)
    }
  }
}

extension Recipe {
  /// The first 64 KiB of a blob or of a text, as they are; all of it where it is no longer.
  ///
  /// A source that offers it spares a ``TextExcerpt`` the rest of a long text.
  public static let beginning = Recipe("beginning \(beginningByteCount)")

  /// How many bytes a ``beginning`` has at most.
  static let beginningByteCount = 65_536
}
