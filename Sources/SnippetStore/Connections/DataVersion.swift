import GRDB

/// A state of the database as one connection sees it: differs after every commit of anybody.
struct DataVersion: Sendable, Equatable {
  /// Moves when another connection has committed.
  private let foreign: Int64
  /// Moves when this connection has; in memory it is the only one.
  private let own: Int64

  init(_ db: Database) throws {
    foreign = try db.foreignVersion()
    own = Int64(db.totalChangesCount)
  }
}

extension Database {
  /// A number that moves when another connection has committed, and never by this one's commits
  /// (https://www.sqlite.org/pragma.html#pragma_data_version).
  func foreignVersion() throws -> Int64 {
    var statement = try SteppedStatement("PRAGMA data_version", in: self)
    return try statement.next()?.number(0) ?? 0
  }
}
