import GRDB

/// Used by `snip info` for its table; no app has asked for it.
extension SnippetStore {
  /// Adds up what takes up room in the store.
  ///
  /// - Returns: The use at one moment.
  /// - Throws: ``SnippetStoreError``; `.cancelled` if the task was cancelled before it began.
  /// - Complexity: O(*n*) in the number of rows and the size of derivatives; no blob is read.
  package func storageUse() async throws(SnippetStoreError) -> StorageUse {
    let connections = connections
    return try await connections.read(.scans, to: "tell what takes up the room") { db in
      try StorageCount(db: db).use(logByteCount: connections.logByteCount)
    }
  }
}
