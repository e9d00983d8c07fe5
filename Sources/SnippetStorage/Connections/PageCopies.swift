import GRDB

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
