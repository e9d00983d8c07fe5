import GRDB
import SnippetBase

// Every call of the store goes through one of these: they choose the connection, and turn every
// failure into one of ours. The async forms wait without holding one of Swift's threads.

extension Connections {
  /// Reads in one snapshot and returns when done.
  func read<Result>(
    _ role: Role,
    to operation: String,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> Result {
    do {
      return try reader(role).snapshot(body)
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  /// Reads in one snapshot; cancelling the task interrupts it.
  func read<Result: Sendable>(
    _ role: Role,
    to operation: String,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    do {
      return try await reader(role).unsafeRead { try $0.snapshot(body) }
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  /// Writes in one immediate transaction; it is durable when this returns.
  func write<Result>(
    to operation: String,
    keeping copies: PageCopies = .inFile,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> Result {
    let writer = try writer(for: operation)
    do {
      let result = try writer.writeWithoutTransaction { db in
        try copies.kept(by: db) { try transaction(db, operation, body) }
      }
      checkpointIfDue()
      return result
    } catch {
      throw failure(error, during: operation)
    }
  }

  /// Writes in one immediate transaction; cancelling the task before the commit undoes it.
  func write<Result: Sendable>(
    to operation: String,
    keeping copies: PageCopies = .inFile,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    let writer = try writer(for: operation)
    do {
      let result = try await writer.writeWithoutTransaction { db in
        try copies.kept(by: db) { try transaction(db, operation, body) }
      }
      await OwnThreads.run { checkpointIfDue() }
      return result
    } catch {
      throw failure(error, during: operation)
    }
  }

  /// Writes what needs next to no room in one immediate transaction, also where the disk is full.
  ///
  /// Cancelling the task before the commit undoes it.
  func writeWithReserve<Result: Sendable>(
    to operation: String,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    guard reserve?.isShort == true else { return try await write(to: operation, body) }
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

  /// Does what makes room with the room that is kept for that, where the disk is full.
  func lendingReserve<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let reserve else { return try body() }
    return try reserve.lent(to: body)
  }

  /// Writes in one immediate transaction, and tells for how long that kept others from writing.
  ///
  /// - Parameters:
  ///   - operation: What it is for.
  ///   - logByteCount: How long the log must be to be folded into the file afterwards.
  ///   - copies: Where the pages are kept that a statement changes.
  ///   - body: The transaction.
  /// - Returns: What `body` returns, and the time from when the lock was had to the end of the
  ///   commit.
  /// - Throws: ``SnippetStoreError``.
  func timedWrite<Result>(
    to operation: String,
    foldingLogOf logByteCount: Int64,
    keeping copies: PageCopies = .inFile,
    _ body: (Database) throws -> Result
  ) throws(SnippetStoreError) -> (result: Result, time: Duration) {
    let writer = try writer(for: operation)
    do {
      let timed = try writer.writeWithoutTransaction { db in
        var start = ContinuousClock.now
        let result = try copies.kept(by: db) {
          try transaction(db, operation) { db in
            start = .now
            return try body(db)
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

  /// Writes in one immediate transaction, and signals observers of the store.
  private func transaction<Result>(
    _ db: Database,
    _ operation: String,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    let result = try db.immediateTransaction { db in
      try schemaGuard?.verify(db, operation)
      let result = try body(db)
      try beforeCommit(db)
      try requireFileInPlace(operation)
      return result
    }
    didCommit(db)
    return result
  }

  /// What kept a transaction from being done.
  ///
  /// SQLite says that the disk is full as well when it has no number left for a row.
  func failure(_ error: any Error, during operation: String) -> SnippetStoreError {
    if let cause = error as? DatabaseError, !isReadOnly, UnopenedFile.isLikely(cause, at: path) {
      return SnippetStoreError(UnopenedFile(error: cause), during: operation)
    }
    guard let cause = error as? DatabaseError,
      [.SQLITE_FULL, .SQLITE_CONSTRAINT_CHECK].contains(cause.extendedResultCode),
      let table = try? reader(.scans).snapshot(NumberSpace.exhaustedTable)
    else { return SnippetStoreError(error, during: operation) }
    return SnippetStoreError(
      .damaged,
      operation,
      because: "there is no number left for another row of the table \(table)",
      keeping: "Nothing was changed.",
      do: """
        Somebody has set sqlite_sequence or the id of a row too high. Repair the store: that gives \
        lower numbers.
        """,
      underlying: cause
    )
  }

  /// Refuses to go on with a file that is no longer where it was.
  func requireFileInPlace(_ operation: String) throws {
    guard let displaced = try file?.displaced() else { return }
    throw SnippetStoreError(
      .inputOutput,
      operation,
      because: "the \(displaced) of the store was moved or deleted",
      keeping: "Nothing was changed.",
      do: displaced == "log"
        ? "Back this store up while it is open, then close it everywhere and restore the backup."
        : "Put it back, or open the store again."
    )
  }
}

/// Where SQLite keeps what the pages were that a statement changes, until it is known that the
/// statement need not be undone.
enum PageCopies {
  /// In a temporary file, which holds any number of them: one statement may change every row.
  case inFile
  /// In memory, for statements that change a row or a few.
  ///
  /// A snippet that is saved changes about ten pages, and to write those into a file takes longer
  /// than all else.
  case inMemory

  /// Calls `body` with a connection that is in no transaction and keeps copies so.
  func kept<Result>(by db: Database, _ body: () throws -> Result) throws -> Result {
    guard self == .inMemory else { return try body() }
    try db.execute(sql: "PRAGMA temp_store = MEMORY")
    // It is refused within a transaction only, and the one of `body` is over; and what has been
    // committed is not to be reported as a failure.
    defer { try? db.execute(sql: "PRAGMA temp_store = DEFAULT") }
    return try body()
  }
}
