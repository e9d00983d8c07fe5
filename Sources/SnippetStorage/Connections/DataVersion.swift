import GRDB
import SnippetBase

/// A state of the database as one connection sees it.
///
/// It differs after every commit by any program.
struct DataVersion: Sendable, Equatable {
  /// Changes when another connection has committed, and never by commits of this one
  /// (https://www.sqlite.org/pragma.html#pragma_data_version).
  let foreign: Int64
  /// Changes with the commits of this connection; in memory it is the only one.
  private let own: Int64

  init(_ db: Database) throws {
    var statement = try SteppedStatement("PRAGMA data_version", in: db)
    foreign = try statement.next()?.number(0) ?? 0
    own = Int64(db.totalChangesCount)
  }

  /// A version for a list that has not been counted.
  ///
  /// It is negative, unlike those of counted lists, and differs for every state.
  var uncounted: Int64 { -1 - foreign - own }
}

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
