import CStorage
import GRDB
import GRDBSQLite
import SnippetBase

/// The durability of the commits of a connection.
enum Durability {
  /// Commits wait for the disk, so they survive power loss.
  case full
  /// Commits do not wait; faster, for a store that is thrown away.
  case none

  /// Applies this to a connection.
  func apply(to db: Database) throws {
    switch self {
    case .full:
      // With EXTRA a commit survives power loss, and so does the removal of the journal used for
      // switching the file to WAL (https://www.sqlite.org/pragma.html#pragma_synchronous).
      try db.execute(sql: "PRAGMA synchronous = EXTRA")
      try db.execute(sql: "PRAGMA fullfsync = ON")
      try db.execute(sql: "PRAGMA checkpoint_fullfsync = ON")
      // Waiting is shorter for what the disk has written by then.
      if let path = sqlite3_db_filename(db.sqliteConnection, "main") {
        snippet_begin_writing_early(path)
      }
    case .none:
      try db.execute(sql: "PRAGMA synchronous = OFF")
    }
  }
}

/// The durability of the commits of a writer; some need not wait for the disk.
struct WriterDurability: Sendable {
  private let durability: Durability
  /// Whether a commit would wait; only the queue of the writer asks.
  private let waits = Lock(true)

  init(_ durability: Durability) {
    self.durability = durability
  }

  /// Calls `body` on the writer outside a transaction, with commits that wait for the disk or not.
  ///
  /// A commit that waits makes those before it durable too: all are in one log.
  func kept<Result>(
    waiting isWaiting: Bool,
    by db: Database,
    _ body: () throws -> Result
  ) throws -> Result {
    guard durability == .full else { return try body() }
    try set(isWaiting, on: db)
    // A failure here must not hide that `body` has committed. The next write tries it again before
    // it begins.
    defer { try? set(true, on: db) }
    return try body()
  }

  private func set(_ isWaiting: Bool, on db: Database) throws {
    guard waits.withLock(\.self) != isWaiting else { return }
    waits.withLock { $0 = false }
    try db.execute(sql: "PRAGMA synchronous = \(isWaiting ? "EXTRA" : "NORMAL")")
    waits.withLock { $0 = isWaiting }
  }
}
