import GRDB
import SnippetBase

/// Tells commits of other connections from those of this store.
///
/// `PRAGMA data_version` on the writing connection changes only by commits of others
/// (https://www.sqlite.org/pragma.html#pragma_data_version).
final class ForeignCommits: Sendable {
  /// `nil` for a store opened for reading, where every commit is foreign.
  private let writer: DatabaseQueue?
  private let events: StoreEvents
  private let version = Lock<Int64?>(nil)

  /// Starts from the present state.
  init(writer: DatabaseQueue?, events: StoreEvents) {
    self.writer = writer
    self.events = events
    // If this fails, the first look takes the state at that time as known.
    let found = try? writer?.unsafeRead { try DataVersion($0).foreign }
    version.withLock { $0 = found ?? nil }
  }

  /// Schedules a look after a commit, and reports it if the commit was foreign.
  func look() {
    guard let writer else { return events.tell(.foreignCommit) }
    // After a pending write of this store, not within it: a snapshot would show the old state.
    writer.asyncWriteWithoutTransaction { [weak self] db in self?.look(db) }
  }

  private func look(_ db: Database) {
    // No look is needed while the store closes, and the next one makes up for a failure.
    guard (try? db.requireOpen()) != nil, let found = try? DataVersion(db).foreign else { return }
    let isForeign = version.withLock { version in
      defer { version = found }
      return version != nil && version != found
    }
    if isForeign { events.tell(.foreignCommit) }
  }
}
