import GRDB

extension SnippetStore {
  /// Counts the content of the store.
  ///
  /// - Returns: The description of one moment.
  /// - Throws: ``SnippetStoreError``.
  /// - Complexity: O(*n*) in the number of snippets, some nanoseconds each.
  public func information() async throws(SnippetStoreError) -> StoreInformation {
    let (url, connections) = (url, connections)
    return try await connections.read(.scans, to: "tell about the store") { db in
      try StoreInformation(of: db, at: url, logByteCount: connections.logByteCount)
    }
  }
}
