import CStorage
package import GRDB

// GRDB's own `read` and `write` call SQLite with a null pointer after their connection was closed.
// These check first.
extension Database {
  /// Throws if the connection has been closed.
  func requireOpen() throws {
    guard sqliteConnection != nil else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
  }

  /// Reads in one snapshot.
  func snapshot<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try requireOpen()
    return try readOnly {
      do {
        return try SystemFailure.told(by: sqliteConnection) {
          // Kept prepared: parsing the two each time would cost as much as reading a few rows.
          try cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").execute()
          let result = try body(self)
          try cachedStatement(sql: "COMMIT TRANSACTION").execute()
          return result
        }
      } catch {
        // The first error says more, and a snapshot has nothing to lose.
        try? rollback()
        throw error
      }
    }
  }

  /// Writes in a transaction that waits for the lock at its start.
  ///
  /// At its first write, waiting could no longer help.
  func immediateTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try requireOpen()
    var outcome: Swift.Result<Result, any Error> = .failure(CancellationError())
    try SystemFailure.told {
      try inTransaction(.immediate) {
        // A rollback would lose the cause.
        outcome = .success(try SystemFailure.told(by: sqliteConnection) { try body(self) })
        return .commit
      }
    }
    return try outcome.get()
  }

  /// Runs a part of a transaction, and undoes it if it fails.
  package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    var outcome: Swift.Result<Result, any Error> = .failure(CancellationError())
    try inSavepoint {
      outcome = .success(try body())
      return .commit
    }
    return try outcome.get()
  }

  /// Runs a change that triggers would refuse, or that they must not record.
  package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
    try setTriggers(on: false)
    // This only fails without a connection, and the first call had one.
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
