import SnippetBase
public import SnippetStorage

/// What a repair did.
public struct RepairReport: Sendable, Hashable {
  /// What was mended, as sentences without their full stops.
  public var repairs: [String]
  /// What a check found afterwards.
  public var check: CheckReport
}

extension SnippetStore {
  /// Mends what can be computed again or what is proven, and checks the store before and after.
  ///
  /// Computed again are the search index, derivatives, counts, sizes and previews of texts that
  /// another program has written, and indexes that agree with the rows; orphans are removed. A single
  /// flipped bit of a row or its text, up to 8 KiB, is put back where the digest proves what it was.
  /// A row with a number that leaves too few for others gets a lower one, and the numbers that were
  /// given last are set anew.
  ///
  /// Everything else stays as it is: wrong bytes of a blob, rows that differ in more than a bit,
  /// pages that cannot be read, indexes that know of rows that are gone, and an altered schema. A
  /// backup, or else ``salvage(from:to:onProgress:)``, helps there.
  ///
  /// - Parameters:
  ///   - acceptsDamage: Whether damaged rows that cannot be corrected get a digest of what they are
  ///     now, so that nobody notices their damage any more; `false` by default.
  ///   - onProgress: Told how many bytes of blobs are checked, on a thread of the store.
  /// - Returns: What was mended, and what is wrong still.
  /// - Throws: `SnippetStoreError`: `.damaged` when the check cannot go on; `.readOnly`; `.busy`,
  ///   which can be tried again; `.cancelled` when the task was, with what was done by then.
  /// - Complexity: O(*n*) in the size of the store; reads all of it twice. Others wait for the making
  ///   of indexes anew, some seconds for each million of snippets.
  @discardableResult
  public func repair(
    acceptingDamage acceptsDamage: Bool = false,
    onProgress: @escaping @Sendable (StoreProgress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> RepairReport {
    let operation = "repair the store"
    return try await OwnThreads.run(to: operation) { [self] check in
      // Refuses a store that is only read, before anything is looked at.
      try seam.requireWritable(for: operation)
      var repair = Repair(
        of: self,
        acceptingDamage: acceptsDamage,
        operation: operation,
        check: check,
        report: onProgress
      )
      return try repair.run()
    }
  }
}
