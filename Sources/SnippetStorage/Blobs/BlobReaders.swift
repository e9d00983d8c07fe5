import Dispatch
import Foundation
import GRDB
import SnippetBase

/// The connections for reading blobs, each used by one thread at a time.
///
/// A reader blocks the calling thread: a hop to another one takes longer than reading a small blob.
/// A store in memory has a single connection, and reads on that.
final class BlobReaders: Sendable {
  /// A reader that one thread uses at a time; it is opened at its first use.
  //
  // A class: each read would retain the fields of a structure one by one.
  final class Place: Sendable {
    /// Locked while a thread opens the reader or uses it.
    private let reader = Lock<BlobReader?>(nil)
    private let open: @Sendable () throws -> BlobReader

    init(open: @escaping @Sendable () throws -> BlobReader) {
      self.open = open
    }

    /// Calls `body` with the reader, or with the error of opening it.
    func use<Value>(_ body: (Result<BlobReader, any Error>) throws -> Value) throws -> Value {
      try reader.withLock { reader throws in
        if let reader { return try body(.success(reader)) }
        let result = Result { try open() }
        reader = try? result.get()
        return try body(result)
      }
    }

    func close() {
      // A reader closes when it is released.
      reader.withLock { $0 = nil }
    }
  }

  private struct State {
    /// The use of a reader.
    struct Use {
      var isOpen = false
      /// The number of reads that run or wait.
      var count = 0
    }

    var isClosed = false
    var isOpeningAhead = false
    var uses: [Use]
    var isSeeking = false
  }

  private let places: [Place]
  /// Reads short parts without mapping them; `nil` if no reader maps.
  ///
  /// A player asks for 4 kB here and there in 100 MB. A page that is not mapped takes longer to map
  /// and to release than to copy: 12 to 16 microseconds for such a part, and 8 without
  /// (`Benchmarks --filter blobs`).
  private let seeker: Place?
  /// Reads in the place of a reader that there is not: in memory, and for one that is not open once
  /// the file or its log was moved or deleted.
  private let rows: DatabaseQueue
  private let state: Lock<State>
  private let callsUnderWay = DispatchGroup()

  /// A few threads read a local file as fast as many, and each connection takes memory of its own.
  ///
  /// Measured for 30 blobs of 100 kB that are not in memory, relative to 30 files: two took 1.4 to
  /// 1.5 times as long, three 1.1 to 1.2, four 1.0 to 1.2 (`Benchmarks --filter cold`).
  private static let count = 3

  /// The most bytes of a short part.
  private static let shortByteCount = 16 << 10

  /// The most bytes to read in one snapshot before others get a turn, so that no checkpoint waits
  /// for long.
  static let spanByteCount = 4 << 20

  /// Reads from a file that is open; `path` is its path or its URI, as for ``BlobReader``.
  init(
    of file: OpenStoreFile,
    path: String,
    besides rows: DatabaseQueue,
    busyTimeout: Duration,
    maps: Bool
  ) {
    @Sendable func open(maps: Bool) throws -> BlobReader {
      try file.connect {
        try SystemFailure.told(ofOpening: path, forWriting: false) {
          try BlobReader(path: path, busyTimeout: busyTimeout, maps: maps)
        }
      } handle: {
        $0.handle
      }
    }
    let state = Lock(State(uses: Array(repeating: State.Use(), count: Self.count)))
    places = (0..<Self.count).map { number in
      Place {
        let reader = try open(maps: maps)
        state.withLock { $0.uses[number].isOpen = true }
        return reader
      }
    }
    seeker = maps ? Place { try open(maps: false) } : nil
    self.rows = rows
    self.state = state
  }

  /// Reads on an existing connection.
  init(sharing connection: DatabaseQueue) {
    places = []
    seeker = nil
    rows = connection
    state = Lock(State(uses: []))
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
    if places.isEmpty { return try withRows(body) }
    let reserved = place == nil ? reserve() : nil
    defer { if let reserved { release(reserved) } }
    return try use(places[place ?? reserved ?? 0], body)
  }

  /// Lends a connection as ``withConnection(_:_:)`` does, to read a range of a blob, or all of it.
  ///
  /// A short range is read on the connection that does not map, unless that is busy.
  func withConnection<Result>(
    forPartOf range: Range<Int64>?,
    _ body: (any BlobConnection) throws -> Result
  ) throws -> Result {
    // The length of a range can exceed its type.
    guard let seeker, let range, range.upperBound &- range.lowerBound <= Self.shortByteCount,
      range.clamped(to: 0..<Int64.max) == range, beginSeeking()
    else {
      return try withConnection(nil, body)
    }
    defer { state.withLock { $0.isSeeking = false } }
    return try use(seeker, body)
  }

  private func beginSeeking() -> Bool {
    state.withLock { state in
      defer { state.isSeeking = true }
      return !state.isSeeking
    }
  }

  private func use<Result>(
    _ place: Place,
    _ body: (any BlobConnection) throws -> Result
  ) throws -> Result {
    try place.use { opened in
      let reader: BlobReader
      do {
        reader = try opened.get()
      } catch is DisplacedFile {
        return try withRows(body)
      }
      defer { reader.releasePagesIfMany() }
      return try SystemFailure.told { try body(reader) }
    }
  }

  /// Opens the readers that are not open yet on other threads, as many at a time as there are
  /// processors.
  ///
  /// A reader that cannot be opened now is opened by the first read that needs it.
  func openAhead() {
    state.withLock { $0.isOpeningAhead = true }
    DispatchQueue.global(qos: .userInitiated).async {
      defer { self.state.withLock { $0.isOpeningAhead = false } }
      DispatchQueue.concurrentPerform(iterations: self.places.count) { number in
        _ = try? self.call { try self.places[number].use { _ in } }
      }
    }
  }

  private func withRows<Result>(_ body: (any BlobConnection) throws -> Result) throws -> Result {
    try rows.unsafeRead { db in
      try db.requireOpen()
      return try SystemFailure.told { try body(db) }
    }
  }

  /// Reserves a place at the least busy reader; of several, at one that is open.
  private func reserve() -> Int {
    state.withLock { state in
      let place = leastBusy(in: state)
      state.uses[place].count += 1
      return place
    }
  }

  /// Reserves a place at an idle reader, if there is one; of several, at one that is open.
  func reserveIdle() -> Int? {
    state.withLock { state in
      let place = leastBusy(in: state)
      // A store in memory has no readers.
      guard !places.isEmpty, state.uses[place].count == 0 else { return nil }
      state.uses[place].count += 1
      return place
    }
  }

  private func leastBusy(in state: State) -> Int {
    var best = (place: 0, cost: Int.max)
    for (place, use) in state.uses.enumerated() {
      // Many blobs are read before a reader that is being opened ahead is ready.
      let opening = use.isOpen ? 0 : state.isOpeningAhead ? 100 : 1
      if 2 * use.count + opening < best.cost { best = (place, 2 * use.count + opening) }
      if best.cost == 0 { break }
    }
    return best.place
  }

  /// Gives up a reserved place.
  func release(_ place: Int) {
    state.withLock { $0.uses[place].count -= 1 }
  }

  /// Refuses new calls; running ones continue.
  func refuseCalls() {
    state.withLock { $0.isClosed = true }
  }

  /// Closes the connections once running calls have ended; later calls fail.
  func close() {
    refuseCalls()
    callsUnderWay.wait()
    for place in places { place.close() }
    seeker?.close()
  }
}
