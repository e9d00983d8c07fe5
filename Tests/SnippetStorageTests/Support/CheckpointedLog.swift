import Foundation
import GRDB
import SnippetStorage
import Testing

/// The state in which a checkpoint of the whole log leaves it
/// (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint).
struct CheckpointedLog: Equatable {
  /// A log that no reader held up, truncated to nothing.
  static let empty = CheckpointedLog(isBusy: false, pageCount: 0, checkpointedCount: 0)

  let isBusy: Bool
  let pageCount: Int
  let checkpointedCount: Int
}

extension CheckpointedLog {
  /// Checkpoints the log of a store by a connection of its own.
  init(of store: SnippetStore) throws {
    let connection = try DatabaseQueue(path: #require(store.url).path)
    defer { try? connection.close() }
    self = try connection.writeWithoutTransaction { db in
      let row = try #require(try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)"))
      return CheckpointedLog(isBusy: row[0], pageCount: row[1], checkpointedCount: row[2])
    }
  }
}
