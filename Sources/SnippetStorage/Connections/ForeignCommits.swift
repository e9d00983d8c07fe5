import GRDB
import SnippetBase

/// Tells the commits of others from those of this store.
///
/// `PRAGMA data_version` on the connection that writes moves by the commits of others only
/// (https://www.sqlite.org/pragma.html#pragma_data_version).
final class ForeignCommits: Sendable {
  /// `nil` for a store that is only read: there every commit is somebody else's.
  private let writer: DatabaseQueue?
  private let events: StoreEvents
  private let version = Lock<Int64?>(nil)

  /// Takes the present state for known.
  init(writer: DatabaseQueue?, events: StoreEvents) {
    self.writer = writer
    self.events = events
    // What cannot be read now is taken for known at the first look.
    let found = try? writer?.unsafeRead { try DataVersion($0).foreign }
    version.withLock { $0 = found ?? nil }
  }

  /// Looks soon, after somebody has committed, and tells if that was another one.
  func look() {
    guard let writer else { return events.tell(.foreignCommit) }
    // Behind a write of this store, not within it: a snapshot would show the old state.
    writer.asyncWriteWithoutTransaction { [weak self] db in self?.look(db) }
  }

  private func look(_ db: Database) {
    // A store that closes needs no look, and one that fails is made up for by the next.
    guard (try? db.requireOpen()) != nil, let found = try? DataVersion(db).foreign else { return }
    let isForeign = version.withLock { version in
      defer { version = found }
      return version != nil && version != found
    }
    if isForeign { events.tell(.foreignCommit) }
  }
}
