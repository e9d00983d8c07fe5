public import SnippetLoading
public import SnippetStorage

extension SnippetStore {
  /// Reads a blob, a short text or a row on the calling thread, as a loader does, to measure it.
  ///
  /// - Parameters:
  ///   - key: What to read: the original, its beginning, or the row.
  ///   - context: Takes the bytes.
  /// - Throws: `LoadError` when it is gone, and for any other recipe; the `SnippetStoreError`
  ///   otherwise.
  public func blockingLoad(_ key: LoadKey, into context: inout LoadContext) throws {
    try StoreBlobs(self).read(key, into: &context)
  }
}
