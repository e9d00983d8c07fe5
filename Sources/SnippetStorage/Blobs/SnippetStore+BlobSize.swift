extension SnippetStore {
  /// The size of a blob.
  ///
  /// - Parameter id: The blob.
  /// - Returns: The number of its bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound` when there is no such blob.
  public func byteCount(of id: BlobID) throws(SnippetStoreError) -> Int64 {
    try ContentCursor(id, connections: connections).byteCount
  }
}
