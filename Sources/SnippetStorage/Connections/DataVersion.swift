import GRDB

/// A state of the database as one connection sees it: differs after every commit of anybody.
struct DataVersion: Sendable, Equatable {
  /// Moves when another connection has committed, and never by this one's commits
  /// (https://www.sqlite.org/pragma.html#pragma_data_version).
  let foreign: Int64
  /// Moves when this connection has; in memory it is the only one.
  private let own: Int64

  init(_ db: Database) throws {
    var statement = try SteppedStatement("PRAGMA data_version", in: db)
    foreign = try statement.next()?.number(0) ?? 0
    own = Int64(db.totalChangesCount)
  }

  /// The number of this state for a list that was not counted in it: below zero, where no list that
  /// was counted has its numbers, and another one in every state.
  var uncounted: Int64 { -1 - foreign - own }
}
