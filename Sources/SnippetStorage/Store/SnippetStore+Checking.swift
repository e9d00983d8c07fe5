import SnippetBase

extension SnippetStore {
  /// Checks everything that is stored, and changes nothing.
  ///
  /// It checks the structure of the file, the schema, the references between snippets and blobs
  /// both ways, every blob against its hash, and the search index against the texts; the CHECK rules
  /// of the schema only where the file could be written. Other calls go on during the check, which
  /// sees the state of one moment.
  ///
  /// - Parameter onProgress: Told how many bytes of blobs are done, on a thread of the store.
  /// - Returns: What is wrong, and how much was checked.
  /// - Throws: ``SnippetStoreError``: `.damaged` when the damage is such that the check cannot go
  ///   on; `.cancelled` when the task was.
  /// - Complexity: O(*n*) in the size of the store; reads all of it once.
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
