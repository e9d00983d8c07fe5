import GRDB
import SnippetBase

/// Copies the log into the file while all writers are kept out.
///
/// SQLite before 3.51.3 can corrupt a file if one connection commits while another one checkpoints
/// (https://www.sqlite.org/wal.html, the WAL-reset bug). So no connection of a store checkpoints by
/// itself. Here the writer holds an empty immediate transaction, which blocks every writer in every
/// process, while a second connection copies.
struct Checkpointer: Sendable {
  private let logPath: String
  let connection: LateConnection

  /// The length of the log, in bytes, at which it is copied: about the same as SQLite's default.
  static let dueByteCount: Int64 = 8 << 20

  /// Opens the connection at the first checkpoint: few stores are open until their log is long.
  init(of file: OpenStoreFile, busyTimeout: Duration, _ durability: Durability) {
    logPath = file.path + "-wal"
    connection = LateConnection {
      try file.connect {
        try openExisting(file.path, busyTimeout: busyTimeout) { db in
          try Connections.prepareEvery(db)
          try durability.apply(to: db)
        }
      }
    }
  }

  /// Checkpoints if the log has grown long.
  func runIfDue(
    at byteCount: Int64 = dueByteCount,
    holding writer: DatabaseQueue,
    telling events: StoreEvents = .none
  ) {
    guard FileStatus.byteCount(of: logPath) >= byteCount else { return }
    // If a reader or another process makes a checkpoint fail, the log stays and the next checkpoint
    // does its work.
    events.attempt(.checkpoint) { try run(holding: writer) }
  }

  /// Checkpoints now, as far as readers allow, and returns whether that was all of the log.
  @discardableResult
  func run(holding writer: DatabaseQueue) throws -> Bool {
    // Opened before others must wait.
    let connection = try connection.get()
    var isWhole = false
    try writer.writeWithoutTransaction { db in
      try db.requireOpen()
      try db.inTransaction(.immediate) {
        isWhole = try connection.inDatabase { db in
          try SystemFailure.told(by: db.sqliteConnection) {
            let counts = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
            return counts?["log"] as Int? == counts?["checkpointed"]
          }
        }
        return .rollback
      }
    }
    return isWhole
  }

  func close() throws {
    try connection.close()
  }
}
