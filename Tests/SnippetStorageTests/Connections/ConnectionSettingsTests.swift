import Foundation
import GRDB
import GRDBSQLite
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ConnectionSettingsTests {
  @Test(arguments: [
    ("wal_autocheckpoint", 0), ("trusted_schema", 0), ("cell_size_check", 1), ("foreign_keys", 1),
    ("page_size", 8192), ("auto_vacuum", 2), ("recursive_triggers", 0),
  ])
  func `a setting holds on every connection`(pragma: String, value: Int) throws {
    let store = try TemporaryStore.open()

    let values = try connections(of: store).map { try number("PRAGMA \(pragma)", $0) }

    // The writer, the checkpointer, rows, scans and derivatives.
    #expect(values == Array(repeating: value, count: 5))
    // Mapped pages would be checked again with every read.
    let own = pragma == "cell_size_check" ? 0 : value
    // Three that map, and one for short ranges.
    #expect(try numbers("PRAGMA \(pragma)", ofBlobReadersOf: store) == [own, own, own, own])
    #expect(try number("PRAGMA \(pragma)", ownReader(of: store)) == value)
  }

  #if os(Linux)
  @Test func `no lock for counting memory is held at each allocation`() throws {
    _ = try TemporaryStore.open()

    #expect(sqlite3_memory_used() == 0)
  }
  #endif

  @Test func `the connections that write wait until the disk has everything`() throws {
    let store = try TemporaryStore.open()

    let values = try connections(of: store)
      .filter { !$0.configuration.readonly }
      .map { try number("PRAGMA synchronous", $0) }

    #expect(values == [3, 3])
  }

  @Test(arguments: [false, true])
  func `only a write that need not wait for the disk does not`(isDisposable: Bool) throws {
    let store = try TemporaryStore.open { $0.isDisposable = isDisposable }
    let connections = store.connections
    func level(whenWaiting isWaiting: Bool) throws -> Int? {
      try connections.write(to: "test", waitingForDisk: isWaiting) { db in
        try Int.fetchOne(db, sql: "PRAGMA synchronous")
      }
    }

    for _ in 0..<2 {
      #expect(try level(whenWaiting: false) == (isDisposable ? 0 : 1))
      #expect(
        try number("PRAGMA synchronous", connections.writer(for: "test")) == (isDisposable ? 0 : 3)
      )
      #expect(try level(whenWaiting: true) == (isDisposable ? 0 : 3))
    }
  }

  @Test func `no connection of a store that is thrown away waits for the disk`() throws {
    var configuration = SnippetStore.Configuration()
    configuration.isDisposable = true
    let store = try TemporaryStore.open(configuration: configuration)

    let values = try connections(of: store)
      .filter { !$0.configuration.readonly }
      .map { try number("PRAGMA synchronous", $0) }

    #expect(values == [0, 0])
    #expect(!SnippetStore.Configuration().isDisposable)
  }

  @Test func `what is deleted is overwritten where that costs no writing`() throws {
    let store = try TemporaryStore.open()

    #expect(try number("PRAGMA secure_delete", store.connections.writer(for: "test")) == 2)
  }

  @Test func `the file is in WAL mode`() throws {
    let store = try TemporaryStore.open()

    for connection in try connections(of: store) {
      let mode = try connection.unsafeRead { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
      #expect(mode == "wal")
    }
  }

  @Test(arguments: [(true, [2_147_418_112, 2_147_418_112, 2_147_418_112, 0]), (false, [0, 0, 0])])
  func `blobs are mapped where the configuration says so, and nothing else is`(
    maps: Bool,
    byteCounts: [Int]
  ) throws {
    let store = try TemporaryStore.open { $0.mapsBlobs = maps }

    #expect(try numbers("PRAGMA mmap_size", ofBlobReadersOf: store) == byteCounts)
    for connection in try connections(of: store) {
      #expect(try number("PRAGMA mmap_size", connection) == 0)
    }
  }

  @Test func `no SQL can alter the schema behind our back`() throws {
    let store = try TemporaryStore.open()

    for connection in try connections(of: store) {
      let error = #expect(throws: DatabaseError.self) {
        try connection.unsafeRead { db in
          // DEFENSIVE takes the effect from the first statement.
          try db.execute(sql: "PRAGMA writable_schema = ON")
          try db.execute(sql: "UPDATE sqlite_schema SET sql = sql")
        }
      }
      #expect(error?.message == "table sqlite_master may not be modified")
    }
    for reader in try blobReaders(of: store) {
      let error = #expect(throws: DatabaseError.self) {
        _ = try number("PRAGMA writable_schema = ON", reader)
        _ = try number("UPDATE sqlite_schema SET sql = sql", reader)
      }
      #expect(error?.message == "table sqlite_master may not be modified")
    }
  }

  @Test(arguments: [nil, 1234])
  func `a busy timeout holds on every connection`(_ milliseconds: Int?) throws {
    var configuration = SnippetStore.Configuration()
    if let milliseconds { configuration.busyTimeout = .milliseconds(milliseconds) }
    let store = try TemporaryStore.open(configuration: configuration)
    let value = milliseconds ?? 10_000

    let values = try connections(of: store).map { try number("PRAGMA busy_timeout", $0) }

    // The writer, which comes first, waits in a way of its own.
    #expect(values == [0] + Array(repeating: value, count: 4))
    #expect(
      try numbers("PRAGMA busy_timeout", ofBlobReadersOf: store) == [value, value, value, value]
    )
    #expect(try number("PRAGMA busy_timeout", ownReader(of: store)) == value)
  }

  @Test func `a store in memory has one connection with the same settings`() throws {
    let store = try TemporaryStore.inMemory()

    let found = try connections(of: store)
    let only = try #require(found.first)
    #expect(found.allSatisfy { $0 === only })
    #expect(try number("PRAGMA foreign_keys", only) == 1)
    #expect(try number("PRAGMA trusted_schema", only) == 0)
    #expect(try number("PRAGMA cell_size_check", only) == 1)
  }

  @Test func `a read-only store has no connection that could write`() async throws {
    try await TemporaryStore.open().close()
    let store = try TemporaryStore.open(configuration: .init(access: .readOnly))

    let found = try connections(of: store)

    #expect(found.count == 3)
    #expect(found.allSatisfy { $0.configuration.readonly })
  }

  /// Opens all the connections that a store holds, found by looking through it, so that one that is
  /// added later is found too.
  private func connections(of store: SnippetStore) throws -> [DatabaseQueue] {
    try connections(in: store.connections)
  }

  private func blobReaders(of store: SnippetStore) throws -> [BlobReader] {
    try connections(in: store.blobReaders)
  }

  private func connections<Connection: Sendable>(in value: Any) throws -> [Connection] {
    if let connection = value as? Connection { return [connection] }
    if let late = value as? LateConnection { return try connections(in: late.get()) }
    if let place = value as? BlobReaders.Place {
      return try place.use { [try $0.get()].compactMap { $0 as? Connection } }
    }
    if value is DatabaseQueue { return [] }
    return try Mirror(reflecting: value).children.flatMap { try connections(in: $0.value) }
  }

  private func numbers(_ sql: String, ofBlobReadersOf store: SnippetStore) throws -> [Int?] {
    try blobReaders(of: store).map { try number(sql, $0) }
  }

  private func number(_ sql: String, _ reader: BlobReader) throws -> Int? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    sqlite3_prepare_v2(reader.handle, sql, -1, &statement, nil)
    let result = sqlite3_step(statement)
    guard [SQLITE_ROW, SQLITE_DONE].contains(result) else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: result),
        message: String(cString: sqlite3_errmsg(reader.handle))
      )
    }
    return result == SQLITE_ROW ? Int(sqlite3_column_int64(statement, 0)) : nil
  }

  private func ownReader(of store: SnippetStore) throws -> DatabaseQueue {
    try store.connections.ownReader(busyTimeout: store.configuration.busyTimeout)
  }

  private func number(_ sql: String, _ connection: DatabaseQueue) throws -> Int? {
    try connection.unsafeRead { try Int.fetchOne($0, sql: sql) }
  }
}
