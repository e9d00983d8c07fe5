/// Used by tests and by snip, which delete a store in a `deinit`.
extension SnippetStore {
  /// Closes the files and blocks; for threads that may.
  package func blockingClose() throws(SnippetStoreError) {
    // If the uses are lost, some derivatives are only evicted earlier than others.
    try? connections.events.noting(.notingUses) { try writeDerivativeUses() }
    changeFeed.close()
    blobReaders.close()
    do {
      try connections.close()
    } catch {
      throw SnippetStoreError(error, during: "close the store")
    }
  }
}
