import Foundation
import GRDB
import SnippetBase

/// Copies the log back into the file, at a moment when nobody can write.
///
/// SQLite before 3.51.3 can corrupt a file when one connection commits while another one
/// checkpoints (https://www.sqlite.org/wal.html, the WAL-reset bug). So no connection of ours
/// checkpoints by itself; here the writer holds an empty immediate transaction, which keeps every
/// writer of every process out, while a second connection copies.
struct Checkpointer: Sendable {
  private let logPath: String
  let connection: DatabaseQueue

  /// The log is folded back once it is this long: about what SQLite does by itself, in bytes.
  static let dueByteCount: Int64 = 8 << 20

  init(path: String, busyTimeout: Duration, _ durability: Durability = .full) throws {
    logPath = path + "-wal"
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(busyTimeout.seconds)
    configuration.prepareDatabase { db in
      try Connections.prepareEvery(db)
      try durability.apply(to: db)
    }
    connection = try SystemFailure.told(ofOpening: path, forWriting: true) {
      try DatabaseQueue(path: path, configuration: configuration)
    }
  }

  /// Checkpoints when the log has grown long.
  func runIfDue(
    at byteCount: Int64 = dueByteCount,
    holding writer: DatabaseQueue,
    telling events: StoreEvents = .none
  ) {
    guard FileStatus.byteCount(of: logPath) >= byteCount else { return }
    // A checkpoint that fails, because a reader or another process is in the way, leaves the log
    // as it was; the next one does its work.
    events.attempt(.checkpoint) { try run(holding: writer) }
  }

  /// Checkpoints now, as far as the readers allow.
  func run(holding writer: DatabaseQueue) throws {
    try writer.writeWithoutTransaction { db in
      try db.requireOpen()
      try db.inTransaction(.immediate) {
        try connection.inDatabase { db in
          try SystemFailure.told(by: db.sqliteConnection) {
            try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
          }
        }
        return .rollback
      }
    }
  }

  func close() throws {
    try connection.close()
  }
}
