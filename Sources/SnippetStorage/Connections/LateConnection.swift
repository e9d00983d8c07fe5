import GRDB
import SnippetBase

/// A connection that is opened at its first use.
///
/// SQLite parses the whole schema for each connection. Most programs that open a store need only a
/// few of its connections, and an app that starts should not wait for all of them.
struct LateConnection<Connection: Sendable>: Sendable {
  private enum State {
    case unopened
    case open(Connection)
    case closed
  }

  private let state: Lock<State>
  /// Held while the connection is opened or closed, so that a look at the state never waits.
  private let change = Lock(())
  private let open: @Sendable () throws -> Connection

  /// Opens the connection when it is needed.
  init(open: @escaping @Sendable () throws -> Connection) {
    self.open = open
    state = Lock(.unopened)
  }

  /// Wraps a connection that is open.
  init(_ connection: Connection) {
    open = { connection }
    state = Lock(.open(connection))
  }

  /// The connection if it is open; never waits.
  var opened: Connection? {
    guard case .open(let connection) = state.withLock(\.self) else { return nil }
    return connection
  }

  /// Returns the connection, and opens it if necessary.
  ///
  /// After an error the next call tries again. After ``end()`` it throws what SQLite says of a
  /// closed connection.
  func get() throws -> Connection {
    if let opened { return opened }
    return try change.withLock { _ in
      switch state.withLock(\.self) {
      case .open(let connection): return connection
      case .closed: throw DatabaseError(resultCode: .SQLITE_MISUSE)
      case .unopened:
        let connection = try open()
        state.withLock { $0 = .open(connection) }
        return connection
      }
    }
  }

  /// Refuses later calls, and returns the connection if it is open, for the caller to close.
  ///
  /// It waits until the connection is open if another thread is opening it.
  func end() -> Connection? {
    change.withLock { _ in
      defer { state.withLock { $0 = .closed } }
      return opened
    }
  }
}

extension LateConnection<DatabaseQueue> {
  /// Closes the connection once running calls have ended; later calls fail.
  func close() throws {
    try end()?.close()
  }
}
