import GRDB
import SnippetBase

/// A connection that is opened at its first use.
///
/// SQLite parses the whole schema for each connection. Most programs that open a store need only a
/// few of its connections, and an app that starts should not wait for all of them.
struct LateConnection: Sendable {
  private let connection: Lock<DatabaseQueue?>
  /// Held while the connection is opened or closed, so that a look at it never waits.
  private let hasEnded = Lock(false)
  private let open: @Sendable () throws -> DatabaseQueue

  /// Opens the connection when it is needed, unless it is `opened` already.
  init(_ opened: DatabaseQueue? = nil, open: @escaping @Sendable () throws -> DatabaseQueue) {
    connection = Lock(opened)
    self.open = open
  }

  /// The connection if it is open; never waits.
  var opened: DatabaseQueue? { connection.withLock(\.self) }

  /// Returns the connection, and opens it if necessary.
  ///
  /// After an error the next call tries again. After ``end()`` it throws what SQLite says of a
  /// closed connection.
  func get() throws -> DatabaseQueue {
    if let opened { return opened }
    return try hasEnded.withLock { hasEnded throws in
      guard !hasEnded else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      if let opened { return opened }
      let new = try open()
      connection.withLock { $0 = new }
      return new
    }
  }

  /// Refuses later calls, and returns the connection if it is open, for the caller to close.
  ///
  /// It waits until the connection is open if another thread is opening it.
  func end() -> DatabaseQueue? {
    hasEnded.withLock { hasEnded in
      hasEnded = true
      return connection.withLock { $0.take() }
    }
  }

  /// Closes the connection once running calls have ended; later calls fail.
  func close() throws {
    try end()?.close()
  }
}
