import GRDB
import SnippetBase

/// A connection that is opened at its first use.
///
/// SQLite parses the whole schema for each connection. Most programs that open a store need only a
/// few of its connections, and an app that starts should not wait for all of them.
struct LateConnection<Connection: Sendable>: Sendable {
  private let connection: Lock<Connection?>
  /// Held while the connection is opened or closed, so that a look at it never waits.
  private let hasEnded = Lock(false)
  private let open: @Sendable () throws -> Connection

  /// Opens the connection when it is needed, unless it is `opened` already.
  init(_ opened: Connection? = nil, open: @escaping @Sendable () throws -> Connection) {
    connection = Lock(opened)
    self.open = open
  }

  /// The connection if it is open; never waits.
  // No key path: in a generic type each use makes one anew, which takes longer than reading a small
  // blob.
  var opened: Connection? { connection.withLock { $0 } }

  /// Returns the connection, and opens it if necessary.
  ///
  /// After an error the next call tries again. After ``end()`` it throws what SQLite says of a
  /// closed connection.
  func get() throws -> Connection {
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
  func end() -> Connection? {
    hasEnded.withLock { hasEnded in
      hasEnded = true
      return connection.withLock { $0.take() }
    }
  }
}

extension LateConnection<DatabaseQueue> {
  /// Closes the connection once running calls have ended; later calls fail.
  func close() throws {
    try end()?.close()
  }
}
