import GRDB

/// Used by `snip info` for its table; no app has asked for it.
extension SnippetStore {
  /// Adds up what takes up room in the store at one moment.
  ///
  /// It looks at every row and at the pages of derivatives, and reads no blob.
  package func storageUse() async throws(SnippetStoreError) -> StorageUse {
    let connections = connections
    return try await connections.read(.scans, to: "tell what takes up the room") { db in
      try StorageCount(db: db).use(logByteCount: connections.logByteCount)
    }
  }
}
