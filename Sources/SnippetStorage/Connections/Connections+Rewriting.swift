import GRDB
import SnippetBase

// What concerns the whole file and its log.
extension Connections {
  /// How long the log is; 0 for a store in memory.
  var logByteCount: Int64 {
    isInMemory ? 0 : FileStatus.byteCount(of: path + "-wal")
  }

  /// Copies the log into the file now, as far as the readers allow, so that the file gets the
  /// length that its content has.
  func checkpoint(to operation: String) throws {
    guard let writer = try? writer(for: operation) else { return }
    try foldLog(holding: writer, to: operation)
  }

  private func foldLog(holding writer: DatabaseQueue, to operation: String) throws {
    do {
      try checkpointer?.run(holding: writer)
    } catch let error as DatabaseError {
      throw failure(error, during: operation)
    }
  }

  /// Writes the whole file anew, page by page, without what was left in its pages.
  ///
  /// - Parameters:
  ///   - operation: What it is for.
  ///   - check: Asked again and again while the content is written into a file of SQLite's own;
  ///     what it throws ends that, and is thrown on. It is not asked any more while the pages of
  ///     that file go into the log, which SQLite does in one go.
  /// - Throws: What `check` throws, or what SQLite says; the file is then as it was.
  func rewriteFile(to operation: String, check: () throws -> Void) throws {
    let writer = try writer(for: operation)
    do {
      try writer.writeWithoutTransaction { db in
        try db.requireOpen()
        try requireFileInPlace(operation)
        try SystemFailure.told { try db.asking(check) { try db.execute(sql: "VACUUM") } }
        didCommit(db)
      }
    } catch let error as DatabaseError {
      throw failure(error, during: operation)
    }
  }

  /// Empties the log, but for one page that says nothing of any snippet.
  ///
  /// SQLite can empty it by itself (TRUNCATE), but only when no transaction is open: another
  /// program could then write meanwhile, which is what `Checkpointer` is there to prevent. So it is
  /// copied into the file under our own write lock; the next commit, which follows at once, begins
  /// it anew and cuts off the rest.
  ///
  /// - Returns: How many bytes of it are left; more than 0 when a reader or another program is in
  ///   the way.
  func emptyLog(to operation: String) throws -> Int64 {
    let writer = try writer(for: operation)
    guard checkpointer != nil else { return 0 }
    try writer.unsafeRead { try $0.execute(sql: "PRAGMA journal_size_limit = 0") }
    defer {
      // Only a length: whatever goes wrong, the log is longer or shorter than it has to be.
      try? writer.unsafeRead { db in
        try db.requireOpen()
        try db.execute(sql: "PRAGMA journal_size_limit = \(Self.logByteLimit)")
      }
    }
    try foldLog(holding: writer, to: operation)
    let pageSize = try writer.writeWithoutTransaction { db in
      try db.immediateTransaction { db in
        // The one statement that writes the first page, which holds only the schema, whatever it
        // says already.
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        try db.execute(sql: "PRAGMA user_version = \(version)")
        return try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      }
    }
    let byteCount = logByteCount
    // The header of the log, and that of its page
    // (https://www.sqlite.org/fileformat2.html#walformat).
    return byteCount <= 32 + 24 + pageSize ? 0 : byteCount
  }
}
