internal import Foundation
public import SnippetStorage

extension SnippetStore: BlobSource {
  /// Reads a blob of the store, into memory that the loaded blob takes over.
  ///
  /// - Parameters:
  ///   - key: What to read; only ``BlobVariant/original`` is stored.
  ///   - context: Takes the bytes, and ends the load between two MiB when nobody waits for it any
  ///     more.
  /// - Throws: The error of the context as it is; ``LoadError/Code/notFound`` when the blob is gone
  ///   or the variant is not stored; the ``SnippetStoreError`` otherwise.
  public func read(_ key: LoadKey, into context: inout LoadContext) throws {
    guard key.variant == .original else { throw LoadError(.notFound) }
    do {
      let bytes = try blob(key.blobID) { try context.check(byteCount: $0) }
      try context.append(bytes)
    } catch let error as SnippetStoreError where error.code == .notFound {
      throw LoadError(.notFound)
    }
  }
}
