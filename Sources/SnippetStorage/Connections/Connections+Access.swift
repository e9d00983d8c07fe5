import GRDB
package import SnippetBase

// Every call of the store goes through one of these. They choose the connection and convert errors.
// The async forms do not block a thread of Swift's pool while they wait.

extension Connections {
  /// Reads in one snapshot, and blocks until it is done.
  func read<Result>(
    _ role: Role,
    to operation: String,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> Result {
    try SnippetStoreError.converting(during: operation) { try reader(role).snapshot(body) }
  }

  /// Reads in one snapshot.
  ///
  /// Cancelling the task interrupts the read.
  func read<Result: Sendable>(
    _ role: Role,
    to operation: String,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    do {
      let reader = try await readerWithoutBlocking(role)
      return try await reader.unsafeRead { try $0.snapshot(body) }
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  /// Returns the connection for a kind of reading.
  private func readerWithoutBlocking(_ role: Role) async throws -> DatabaseQueue {
    if let opened = openedReader(role) { return opened }
    return try await OwnThreads.result { try reader(role) }
  }

  /// Returns the writer; throws if the store is read-only.
  private func writerWithoutBlocking(
    for operation: String
  ) async throws(SnippetStoreError) -> DatabaseQueue {
    if let opened = try lateWriter(for: operation).opened { return opened }
    return try await OwnThreads.result { () throws(SnippetStoreError) in
      try writer(for: operation)
    }
  }

  /// Writes in one immediate transaction, which is durable on return, or with the next one that is.
  func write<Result>(
    to operation: String,
    keeping copies: PageCopies = .inFile,
    waitingForDisk isWaiting: Bool = true,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> Result {
    try timedWrite(to: operation, keeping: copies, waitingForDisk: isWaiting, body).result
  }

  /// Writes in one immediate transaction.
  ///
  /// Cancelling the task before the commit undoes it.
  func write<Result: Sendable>(
    to operation: String,
    keeping copies: PageCopies = .inFile,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    let writer = try await writerWithoutBlocking(for: operation)
    do {
      let result = try await writer.writeWithoutTransaction { db in
        try durability.kept(waiting: true, by: db) {
          try copies.kept(by: db) { try transaction(db, operation, body) }
        }
      }
      await OwnThreads.run { checkpointIfDue() }
      return result
    } catch {
      throw failure(error, during: operation)
    }
  }

  /// Writes a small change in one immediate transaction, even if the disk is full.
  ///
  /// Cancelling the task before the commit undoes it.
  func writeWithReserve<Result: Sendable>(
    to operation: String,
    keeping copies: PageCopies = .inFile,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    guard reserve?.isShort == true else {
      return try await write(to: operation, keeping: copies, body)
    }
    return try await OwnThreads.run(to: operation) { check in
      try lendingReserve {
        let result = try write(to: operation, keeping: .inMemory) { db in
          try check()
          return try body(db)
        }
        checkpointIfDue(at: 0)
        return result
      }
    }
  }

  /// Frees the reserve on a full disk while `body` runs, for work that makes room.
  func lendingReserve<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let reserve else { return try body() }
    return try reserve.lent(to: body)
  }

  /// Writes in one immediate transaction, and measures how long it kept others from writing.
  ///
  /// The time is that from getting the lock to the end of the commit. Afterwards a log of
  /// `logByteCount` or more is copied into the file.
  func timedWrite<Result>(
    to operation: String,
    foldingLogOf logByteCount: Int64 = Checkpointer.dueByteCount,
    keeping copies: PageCopies,
    waitingForDisk isWaiting: Bool = true,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> (result: Result, time: Duration) {
    let writer = try writer(for: operation)
    do {
      let timed = try writer.writeWithoutTransaction { db in
        var start = ContinuousClock.now
        let result = try durability.kept(waiting: isWaiting, by: db) {
          try copies.kept(by: db) {
            try transaction(db, operation) { db in
              start = .now
              return try body(db)
            }
          }
        }
        return (result, start.duration(to: .now))
      }
      checkpointIfDue(at: logByteCount)
      return timed
    } catch {
      throw failure(error, during: operation)
    }
  }

  /// Writes in one immediate transaction, and notifies observers of the store.
  private func transaction<Result>(
    _ db: Database,
    _ operation: String,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    let result = try db.immediateTransaction { db in
      try schemaGuard?.verify(db, operation)
      let result = try body(db)
      try beforeCommit(db)
      try file?.requireInPlace()
      return result
    }
    didCommit(db)
    return result
  }

  /// Explains why a transaction failed.
  ///
  /// SQLite reports a full disk also when it has run out of numbers for rows.
  func failure(_ error: any Error, during operation: String) -> SnippetStoreError {
    if let cause = error as? DatabaseError, !isReadOnly, UnopenedFile.isLikely(cause, at: path) {
      return SnippetStoreError(UnopenedFile(error: cause, path: path), during: operation)
    }
    guard let cause = error as? DatabaseError,
      [.SQLITE_FULL, .SQLITE_CONSTRAINT_CHECK].contains(cause.extendedResultCode),
      let table = try? rows.snapshot(NumberSpace.exhaustedTable)
    else { return SnippetStoreError(error, during: operation) }
    return SnippetStoreError(
      .damaged,
      operation,
      because: "there is no number left for another row of the table \(table)",
      keeping: "Nothing was changed.",
      do: """
        A number in sqlite_sequence, or an id, has been set too high. Repair the store: that gives \
        lower numbers.
        """,
      underlying: cause
    )
  }
}

/// Where SQLite keeps the original pages that a statement changes, in case the statement must be
/// undone.
package enum PageCopies {
  /// In a temporary file of any length: one statement may change every row.
  case inFile
  /// In memory, for statements that change a few rows.
  ///
  /// Saving a snippet changes about ten pages, and writing those to a file would take longer than
  /// everything else.
  case inMemory

  /// Calls `body` on a connection outside a transaction, with copies kept in this place.
  func kept<Result>(by db: Database, _ body: () throws -> Result) throws -> Result {
    guard self == .inMemory else { return try body() }
    try db.execute(sql: "PRAGMA temp_store = MEMORY")
    // The pragma only fails within a transaction, and that of `body` has ended. A failure here must
    // not hide that `body` has committed.
    defer { try? db.execute(sql: "PRAGMA temp_store = DEFAULT") }
    return try body()
  }
}

extension OwnThreads {
  /// Runs `body` on a thread that may block, unless the task is already cancelled, and converts
  /// errors.
  ///
  /// The closure that it receives throws once the task is cancelled.
  package static func run<Result: Sendable>(
    to operation: String,
    _ body: @escaping @Sendable (_ check: @escaping () throws -> Void) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    do {
      return try await run(cancellable: { flag in
        try flag.check()
        return try body(flag.check)
      })
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }
}
