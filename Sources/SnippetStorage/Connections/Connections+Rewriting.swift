import GRDB
import SnippetBase

// Operations on the whole file and its log.
extension Connections {
  /// The length of the log in bytes; 0 for a store in memory.
  var logByteCount: Int64 {
    isInMemory ? 0 : FileStatus.byteCount(of: path + "-wal")
  }

  /// Copies the log into the file now, as far as readers allow, so that the file has its final
  /// length.
  func checkpoint(to operation: String) throws {
    guard let writer = try? writer(for: operation) else { return }
    try foldLog(holding: writer, to: operation)
  }

  /// Copies the log into the file, so that the file alone is the store; otherwise throws.
  ///
  /// Closing the last connection copies it too, but does not say whether that succeeded.
  func foldWholeLog(to operation: String) throws {
    let writer = try writer(for: operation)
    // SQLite tells a lock that fails once, for whatever reason, as one that another program has.
    for _ in 0..<2 {
      guard try !foldLog(holding: writer, to: operation) else { return }
    }
    throw SnippetStoreError(
      .busy,
      operation,
      because: "another program reads \(path)",
      do: "End that program and try again."
    )
  }

  /// Returns whether that was all of the log.
  @discardableResult
  private func foldLog(holding writer: DatabaseQueue, to operation: String) throws -> Bool {
    do {
      return try checkpointer?.run(holding: writer) ?? true
    } catch let error as DatabaseError {
      throw failure(error, during: operation)
    }
  }

  /// Rewrites the whole file page by page, without the remains of deleted content.
  ///
  /// `check` is called repeatedly while SQLite writes the content into a temporary file, and throws
  /// to stop that; the file is then unchanged. It is not called while the pages of that file go
  /// into the log, which SQLite does in one go.
  func rewriteFile(to operation: String, check: () throws -> Void) throws {
    let writer = try writer(for: operation)
    do {
      try writer.writeWithoutTransaction { db in
        try db.requireOpen()
        try file?.requireInPlace()
        try SystemFailure.told { try db.asking(check) { try db.execute(sql: "VACUUM") } }
        didCommit(db)
      }
    } catch let error as DatabaseError {
      throw failure(error, during: operation)
    }
  }

  /// Empties the log, except for one page without any content of snippets.
  ///
  /// SQLite can empty it by itself (TRUNCATE), but only outside of a transaction. Another program
  /// could then write at the same time, which `Checkpointer` must prevent. So the log is copied
  /// into the file under the write lock of the store; the next commit, which follows at once,
  /// restarts the log and cuts off the rest.
  ///
  /// Returns the number of bytes left in the log; more than 0 if a reader or another program is in
  /// the way.
  func emptyLog(to operation: String) throws -> Int64 {
    let writer = try writer(for: operation)
    guard checkpointer != nil else { return 0 }
    try writer.unsafeRead { try $0.execute(sql: "PRAGMA journal_size_limit = 0") }
    defer {
      // Only a matter of length: if this fails, the log is just longer or shorter than necessary.
      try? writer.unsafeRead { db in
        try db.requireOpen()
        try db.execute(sql: "PRAGMA journal_size_limit = \(Self.logByteLimit)")
      }
    }
    try foldLog(holding: writer, to: operation)
    let pageSize = try writer.writeWithoutTransaction { db in
      try db.immediateTransaction { db in
        // The only statement that always writes the first page, and that page holds nothing but the
        // schema.
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        try db.execute(sql: "PRAGMA user_version = \(version)")
        return try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      }
    }
    let byteCount = logByteCount
    // The header of the log and the header of its one page
    // (https://www.sqlite.org/fileformat2.html#walformat).
    return byteCount <= 32 + 24 + pageSize ? 0 : byteCount
  }
}
