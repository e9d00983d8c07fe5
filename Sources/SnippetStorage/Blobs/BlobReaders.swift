import Dispatch
import GRDB
import SnippetBase

/// The few connections that blobs are read on, each by one thread at a time.
///
/// A reader blocks its own thread: a hop to another one takes longer than to read a small blob. A
/// store in memory has no connection but its only one, and reads on that.
final class BlobReaders: Sendable {
  private struct State {
    var isClosed = false
    /// How many reads each of the readers is at or has before it.
    var waiting: [Int]
  }

  private let readers: [Lock<BlobReader?>]
  private let only: DatabaseQueue?
  private let state: Lock<State>
  private let callsUnderWay = DispatchGroup()

  /// More threads than a few do not read a local file faster, and each connection has memory of its
  /// own.
  ///
  /// Measured for 30 blobs of 100 kB that are on the disk only, relative to 30 files: two took
  /// 1.4 to 1.5, three 1.1 to 1.2, four 1.0 to 1.2 (`Benchmarks --filter cold`).
  private static let count = 3

  /// The most bytes that are read in one snapshot before others get a turn, so that no checkpoint
  /// waits long.
  static let spanByteCount = 4 << 20

  /// Opens the connections to a file.
  ///
  /// - Parameters:
  ///   - path: The file, or its URI.
  ///   - busyTimeout: How long to wait for a lock.
  ///   - maps: Whether the file is read through mapped memory.
  /// - Throws: What SQLite says.
  init(path: String, busyTimeout: Duration, maps: Bool) throws {
    readers = try (0..<Self.count).map { _ in
      Lock(
        try SystemFailure.told(ofOpening: path, forWriting: false) {
          try BlobReader(path: path, busyTimeout: busyTimeout, maps: maps)
        }
      )
    }
    only = nil
    state = Lock(State(waiting: Array(repeating: 0, count: Self.count)))
  }

  /// Reads on a connection that is there.
  init(sharing connection: DatabaseQueue) {
    readers = []
    only = connection
    state = Lock(State(waiting: []))
  }

  /// Reads bytes for a call of the store.
  func read<Result>(
    to operation: @autoclosure () -> String,
    _ body: (BlobReaders) throws -> Result
  ) throws(SnippetStoreError) -> Result {
    do {
      return try body(self)
    } catch {
      throw SnippetStoreError(error, during: operation())
    }
  }

  /// Does one thing for a caller; ``close()`` waits for its end.
  func call<Result>(_ body: () throws -> Result) throws -> Result {
    try state.withLock { state throws in
      guard !state.isClosed else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      callsUnderWay.enter()
    }
    defer { callsUnderWay.leave() }
    return try body()
  }

  /// Lends a connection; all that `body` reads before it is done with a statement or a handle is of
  /// one snapshot.
  ///
  /// `body` must be short, and call nothing that it does not know.
  ///
  /// - Parameters:
  ///   - place: Which one, that was reserved; `nil`, the default, for the one that has least to do.
  ///   - body: Reads.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  func withConnection<Result>(
    _ place: Int? = nil,
    _ body: (any BlobConnection) throws -> Result
  ) throws -> Result {
    if let only {
      return try only.unsafeRead { db in
        try db.requireOpen()
        return try SystemFailure.told { try body(db) }
      }
    }
    let reserved = place == nil ? reserve() : nil
    defer { if let reserved { release(reserved) } }
    return try readers[place ?? reserved ?? 0].withLock { reader in
      guard let reader else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      defer { reader.releasePagesIfMany() }
      return try SystemFailure.told { try body(reader) }
    }
  }

  /// Takes a place before the reader that has least to do.
  private func reserve() -> Int {
    state.withLock { state in
      var place = 0
      for index in state.waiting.indices where state.waiting[index] < state.waiting[place] {
        place = index
      }
      state.waiting[place] += 1
      return place
    }
  }

  /// Takes a place before a reader that has nothing to do, if there is one.
  func reserveIdle() -> Int? {
    state.withLock { state in
      guard let place = state.waiting.firstIndex(of: 0) else { return nil }
      state.waiting[place] += 1
      return place
    }
  }

  /// Gives up a place.
  func release(_ place: Int) {
    state.withLock { $0.waiting[place] -= 1 }
  }

  /// Lets no call in any more; those under way go on.
  func refuseCalls() {
    state.withLock { $0.isClosed = true }
  }

  /// Closes the connections once the calls under way are done; later ones fail.
  func close() {
    refuseCalls()
    callsUnderWay.wait()
    for reader in readers { reader.withLock { $0 = nil } }
  }
}
