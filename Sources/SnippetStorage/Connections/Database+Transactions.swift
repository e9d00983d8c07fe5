import CSQLiteHardening
package import GRDB

// GRDB's own `read` and `write` call SQLite with a null pointer once their connection is closed;
// these look first.
extension Database {
  /// Refuses to go on with a connection that has been closed.
  func requireOpen() throws {
    guard sqliteConnection != nil else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
  }

  /// Reads in one snapshot.
  func snapshot<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try requireOpen()
    return try readOnly {
      do {
        return try SystemFailure.told(by: sqliteConnection) {
          // Kept prepared: to parse the two each time would cost as much as to read a few rows.
          try cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").execute()
          let result = try body(self)
          try cachedStatement(sql: "COMMIT TRANSACTION").execute()
          return result
        }
      } catch {
        // The first failure says more, and a snapshot holds nothing that could be lost.
        try? rollback()
        throw error
      }
    }
  }

  /// Writes in a transaction that waits for its turn at its start, not at its first write, where
  /// waiting could no longer help.
  func immediateTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try requireOpen()
    var outcome: Swift.Result<Result, any Error> = .failure(CancellationError())
    try SystemFailure.told {
      try inTransaction(.immediate) {
        // A rollback forgets the cause.
        outcome = .success(try SystemFailure.told(by: sqliteConnection) { try body(self) })
        return .commit
      }
    }
    return try outcome.get()
  }

  /// Does a part of a transaction, and undoes it when it fails.
  package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    var outcome: Swift.Result<Result, any Error> = .failure(CancellationError())
    try inSavepoint {
      outcome = .success(try body())
      return .commit
    }
    return try outcome.get()
  }

  /// Does what the triggers would refuse or call a change.
  package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
    try setTriggers(on: false)
    // It fails only without a connection, which the first call has had.
    defer { try? setTriggers(on: true) }
    return try body()
  }

  private func setTriggers(on isOn: Bool) throws {
    let code = snippet_set_triggers(sqliteConnection, isOn ? 1 : 0)
    guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}

extension DatabaseQueue {
  /// Reads in one snapshot.
  package func snapshot<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try unsafeRead { try $0.snapshot(body) }
  }
}
