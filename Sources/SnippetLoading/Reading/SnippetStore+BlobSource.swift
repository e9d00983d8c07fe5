internal import Foundation
public import SnippetStorage

extension SnippetStore: BlobSource {
  /// Reads a blob of the store, into memory that the loaded blob takes over.
  ///
  /// - Parameters:
  ///   - key: What to read; only the original is stored.
  ///   - context: Takes the bytes, and ends the load at the next MiB when no cell waits any more.
  /// - Throws: The error of the context as it is; ``LoadError/Code/notFound`` when the blob is
  ///   gone; ``LoadError/Code/recipeUnavailable`` for any other recipe; the `SnippetStoreError`
  ///   otherwise.
  public func read(_ key: LoadKey, into context: inout LoadContext) throws {
    guard key.recipe == .original else { throw LoadError(missing: key.recipe) }
    do {
      let bytes = try blob(key.blobID) { try context.check(byteCount: $0) }
      try context.append(bytes)
    } catch let error as SnippetStoreError where error.code == .notFound {
      throw LoadError(.notFound)
    }
  }
}
