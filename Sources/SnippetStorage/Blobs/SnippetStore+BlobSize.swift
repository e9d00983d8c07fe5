import SnippetBase

extension SnippetStore {
  /// The size of a blob.
  ///
  /// - Parameter id: The blob.
  /// - Returns: The number of its bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound` when there is no such blob.
  public func byteCount(of id: BlobID) async throws(SnippetStoreError) -> Int64 {
    try await OwnThreads.waiting { [self] () throws(SnippetStoreError) in
      try blockingByteCount(of: id)
    }
  }

  /// The size of a blob, for threads that may block.
  package func blockingByteCount(of id: BlobID) throws(SnippetStoreError) -> Int64 {
    try ContentCursor(id, blobReaders: blobReaders).byteCount
  }
}
