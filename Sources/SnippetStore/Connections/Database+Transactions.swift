import GRDB

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
      try transaction(.deferred, body)
    }
  }

  /// Writes in a transaction that waits for its turn at its start, not at its first write, where
  /// waiting could no longer help.
  func immediateTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try requireOpen()
    return try transaction(.immediate, body)
  }

  private func transaction<Result>(
    _ kind: TransactionKind,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    var outcome: Swift.Result<Result, any Error> = .failure(CancellationError())
    try inTransaction(kind) {
      outcome = .success(try body(self))
      return .commit
    }
    return try outcome.get()
  }
}

extension DatabaseQueue {
  /// Reads in one snapshot.
  func snapshot<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try unsafeRead { try $0.snapshot(body) }
  }
}
