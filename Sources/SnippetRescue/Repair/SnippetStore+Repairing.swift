import SnippetBase
public import SnippetStorage

/// The result of a repair.
public struct RepairReport: Sendable, Hashable {
  /// The repairs, as sentences without their full stops.
  public var repairs: [String]
  /// The report of the final check.
  public var check: CheckReport
}

extension SnippetStore {
  /// Mends everything that can be computed again or proven, and checks the store before and after.
  ///
  /// It recomputes the search index, derivatives, counts, sizes and previews of texts written by
  /// other programs, and indexes that agree with the rows; it removes orphans. A single flipped bit
  /// in a row or its text, up to 8 KiB, is restored if the digest proves the original. A row whose
  /// number leaves too few for others gets a lower one, and the record of the last assigned numbers
  /// is corrected.
  ///
  /// Everything else stays as it is: damaged bytes of a blob, rows that differ in more than one
  /// bit, unreadable pages, indexes with entries of lost rows, and an altered schema. A backup
  /// helps there, or else ``salvage(from:to:onProgress:)``.
  ///
  /// - Parameters:
  ///   - acceptsDamage: Whether to accept damaged rows that cannot be corrected: their digest is
  ///     set to that of their present state, so their damage is no longer reported. `false` by
  ///     default.
  ///   - onProgress: Receives the number of checked bytes of blobs, on a thread of the store.
  /// - Returns: The repairs, and the remaining problems.
  /// - Throws: `SnippetStoreError`: `.damaged` if the check cannot continue; `.readOnly`;
  ///   `.busy`, after which you can try again; `.cancelled` if the task was cancelled. Repairs made
  ///   so far stay.
  /// - Complexity: O(*n*) in the size of the store; reads all of it twice. Rebuilding indexes makes
  ///   others wait, some seconds for each million snippets.
  @discardableResult
  public func repair(
    acceptsDamage: Bool = false,
    onProgress: @escaping @Sendable (StoreProgress) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> RepairReport {
    let operation = "repair the store"
    return try await OwnThreads.run(to: operation) { [self] check in
      // Refuse a read-only store before anything is examined.
      try seam.requireWritable(for: operation)
      var repair = Repair(
        of: self,
        acceptsDamage: acceptsDamage,
        operation: operation,
        check: check,
        report: onProgress
      )
      return try repair.run()
    }
  }
}
