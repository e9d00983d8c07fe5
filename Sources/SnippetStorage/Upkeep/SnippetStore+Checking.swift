import SnippetBase

extension SnippetStore {
  /// Checks everything in the store, and changes nothing.
  ///
  /// It checks the structure of the file, the schema, the references between snippets and blobs in
  /// both directions, every blob against its hash, and the search index against the texts. The
  /// CHECK rules of the schema are checked only if the file is writable. Other calls can run at the
  /// same time, and the check sees the state of one moment.
  ///
  /// - Parameter onProgress: Receives the number of checked bytes of blobs, on a thread of the
  ///   store.
  /// - Returns: The problems, and how much was checked.
  /// - Throws: ``SnippetStoreError``: `.damaged` if the damage makes it impossible to continue;
  ///   `.cancelled` if the task was cancelled.
  /// - Complexity: O(*n*) in the size of the store; reads all of it once.
  public func check(
    onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> CheckReport {
    let (connections, timeout) = (connections, configuration.busyTimeout)
    return try await OwnThreads.run(to: "check the store") { check in
      var storeCheck = StoreCheck(lookingAtSearchIndex: true, check: check, report: onProgress)
      return try storeCheck.run(on: try connections.ownChecker(busyTimeout: timeout))
    }
  }
}
