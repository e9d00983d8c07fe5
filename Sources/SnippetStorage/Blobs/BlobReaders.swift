import Dispatch
import GRDB
import SnippetBase

/// The connections for reading blobs, each used by one thread at a time.
///
/// A reader blocks the calling thread: a hop to another one takes longer than reading a small blob.
/// A store in memory has a single connection, and reads on that.
final class BlobReaders: Sendable {
  private struct State {
    var isClosed = false
    /// The number of reads that each reader is running or has queued.
    var waiting: [Int]
  }

  private let readers: [Lock<BlobReader?>]
  private let only: DatabaseQueue?
  private let state: Lock<State>
  private let callsUnderWay = DispatchGroup()

  /// A few threads read a local file as fast as many, and each connection takes memory of its own.
  ///
  /// Measured for 30 blobs of 100 kB that are not in memory, relative to 30 files: two took 1.4 to
  /// 1.5 times as long, three 1.1 to 1.2, four 1.0 to 1.2 (`Benchmarks --filter cold`).
  private static let count = 3

  /// The most bytes to read in one snapshot before others get a turn, so that no checkpoint waits
  /// for long.
  static let spanByteCount = 4 << 20

  /// Opens the connections to a file or its URI, as ``BlobReader`` does.
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

  /// Reads on an existing connection.
  init(sharing connection: DatabaseQueue) {
    readers = []
    only = connection
    state = Lock(State(waiting: []))
  }

  /// Reads bytes for a call of the store, and converts errors.
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

  /// Runs one call; ``close()`` waits for its end.
  func call<Result>(_ body: () throws -> Result) throws -> Result {
    try state.withLock { state throws in
      guard !state.isClosed else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      callsUnderWay.enter()
    }
    defer { callsUnderWay.leave() }
    return try body()
  }

  /// Lends a connection: that at a reserved place, or else the least busy one.
  ///
  /// Until `body` has ended its statement or handle, all its reads see one snapshot. It must be
  /// short, and must not call code from outside.
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

  /// Reserves a place at the least busy reader.
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

  /// Reserves a place at an idle reader, if there is one.
  func reserveIdle() -> Int? {
    state.withLock { state in
      guard let place = state.waiting.firstIndex(of: 0) else { return nil }
      state.waiting[place] += 1
      return place
    }
  }

  /// Gives up a reserved place.
  func release(_ place: Int) {
    state.withLock { $0.waiting[place] -= 1 }
  }

  /// Refuses new calls; running ones continue.
  func refuseCalls() {
    state.withLock { $0.isClosed = true }
  }

  /// Closes the connections once running calls have ended; later calls fail.
  func close() {
    refuseCalls()
    callsUnderWay.wait()
    for reader in readers { reader.withLock { $0 = nil } }
  }
}
