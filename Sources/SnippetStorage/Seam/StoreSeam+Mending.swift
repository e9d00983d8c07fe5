package import GRDB
import Migrations

extension StoreSeam {
  /// Checks everything in the file, with every byte of every blob.
  ///
  /// If there are many texts, comparing the search index with them takes longer than everything
  /// else.
  package func check(
    lookingAtSearchIndex looksAtSearchIndex: Bool,
    check: @escaping () throws -> Void,
    report: @escaping (StoreProgress) -> Void
  ) throws -> CheckReport {
    var storeCheck = StoreCheck(
      lookingAtSearchIndex: looksAtSearchIndex,
      check: check,
      report: report
    )
    return try storeCheck.run(
      on: connections.ownChecker(busyTimeout: store.configuration.busyTimeout)
    )
  }

  /// Removes everything that nothing refers to, and counts anew.
  package func collectGarbage(to operation: String, check: @escaping () throws -> Void) throws {
    var collection = GarbageCollection(
      connections: connections,
      derivativeUses: store.derivativeUses,
      operation: operation,
      check: check,
      report: { _ in }
    )
    _ = try collection.run(derivativeByteLimit: store.configuration.derivativeByteLimit)
  }

  /// Replaces the tables of the search index with empty ones.
  package func emptySearchIndex(to operation: String) throws {
    let schema = try StoreSchema.expected(version: Migrations.latestVersion)
    try connections.write(to: operation) { db in try SearchIndex.makeAnew(schema, in: db) }
  }

  /// Fills the search index in short transactions.
  package func fillSearchIndex(
    to operation: String,
    check: @escaping () throws -> Void
  ) throws {
    var steps = WriteSteps(connections: connections, operation: operation, check: check)
    try steps.updateSearchIndex()
  }
}

extension Database {
  /// Whether the search index is correct, as far as it claims to be up to date.
  package func isSearchIndexSound(_ check: () throws -> Void) throws -> Bool {
    try SearchIndex.problems(in: self, check: check, limit: 1).isEmpty
  }

  /// Finds the derivatives that do not match their digest.
  package func damagedDerivatives(_ check: () throws -> Void) throws -> [Int64] {
    try DerivativeWriter.damaged(in: self, check)
  }

  /// Leaves a gap in the record of changes, so that all its followers read everything again.
  package func leaveGapInChanges() throws {
    try ChangeRecord.leaveGap(in: self)
  }
}

extension StoreProgress {
  /// Describes completed bytes of a total.
  package init(_ completedByteCount: Int64, of totalByteCount: Int64) {
    self.init(completedByteCount: completedByteCount, totalByteCount: totalByteCount)
  }
}
