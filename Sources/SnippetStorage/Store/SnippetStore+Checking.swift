import SnippetBase

extension SnippetStore {
  /// Checks everything that is stored, and changes nothing.
  ///
  /// It checks the structure of the file, the schema, the references between snippets and blobs in
  /// both directions, every blob against its hash, and, unless the file, the schema or a row is
  /// damaged, the search index against the texts. It checks the CHECK rules of the schema only if
  /// the file could be written. Other calls continue during the check, which sees the state of one
  /// moment.
  ///
  /// - Parameter onProgress: Receives the number of checked bytes of blobs, on a thread of the
  ///   store.
  /// - Returns: The findings, and how much was checked.
  /// - Throws: ``SnippetStoreError``: `.damaged` if the damage keeps the check from continuing;
  ///   `.inputOutput` if the file or its log was moved or deleted; `.cancelled` if the task was
  ///   cancelled.
  /// - Complexity: O(*n*) in the size of the store, which is read once.
  public func check(
    onProgress: @escaping @Sendable (StoreProgress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> CheckReport {
    let (connections, timeout) = (connections, configuration.busyTimeout)
    return try await OwnThreads.run(to: "check the store") { check in
      var storeCheck = StoreCheck(lookingAtSearchIndex: true, check: check, report: onProgress)
      return try storeCheck.run(on: try connections.ownChecker(busyTimeout: timeout))
    }
  }
}
