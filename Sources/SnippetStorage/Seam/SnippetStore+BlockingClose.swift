/// Used by tests and by snip, which delete a store in a `deinit`.
extension SnippetStore {
  /// Closes the files and blocks; for threads that may.
  package func blockingClose() throws(SnippetStoreError) {
    // Lost, it would only let a derivative go earlier than others.
    try? connections.events.noting(.notingUses) { try writeDerivativeUses() }
    let observation = Result { try changeFeed.close() }
    blobReaders.close()
    do {
      try connections.close()
      try observation.get()
    } catch {
      throw SnippetStoreError(error, during: "close the store")
    }
  }
}
