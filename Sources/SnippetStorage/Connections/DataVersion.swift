import GRDB

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
