package import GRDB
import Migrations

extension StoreSeam {
  /// Looks at everything in the file, and every byte of every blob.
  ///
  /// - Parameters:
  ///   - looksAtSearchIndex: Whether the search index is compared with the texts, which takes
  ///     longer than all else where there are many.
  ///   - check: Throws once the work is cancelled.
  ///   - report: Gets how far the check has come.
  /// - Returns: What is wrong.
  /// - Throws: What `check` throws, and what keeps the check from going on.
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

  /// Removes what nothing refers to, and makes counts anew.
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

  /// Makes the tables of the search index anew, and empty.
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
    var longTexts = LongTexts()
    while try !steps.take({ db, isOver in
      try SearchIndex.catchUp(until: isOver, &longTexts, in: db)
    }) {
      try longTexts.prepare(connections, to: operation)
      steps.letOthersWrite()
    }
  }
}

extension Database {
  /// Whether the search index holds what it must, as far as it says that it is up to date.
  package func isSearchIndexSound(_ check: () throws -> Void) throws -> Bool {
    try SearchIndex.problems(in: self, check: check, limit: 1).isEmpty
  }

  /// Finds the derivatives that do not match their digest.
  package func damagedDerivatives(_ check: () throws -> Void) throws -> [Int64] {
    try DerivativeWriter.damaged(in: self, check)
  }

  /// Leaves a gap in the record of changes, so that everyone who follows it reads all again.
  package func leaveGapInChanges() throws {
    try ChangeRecord.leaveGap(in: self)
  }
}

extension StoreProgress {
  /// So many bytes are done of a total.
  package init(_ completedByteCount: Int64, of totalByteCount: Int64) {
    self.init(completedByteCount: completedByteCount, totalByteCount: totalByteCount)
  }
}
