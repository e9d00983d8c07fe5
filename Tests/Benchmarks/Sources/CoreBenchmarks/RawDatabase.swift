import CRows
import Foundation
import GRDBSQLite

/// SQLite's C functions and nothing else: the fastest way there is to read rows.
package final class RawDatabase {
  fileprivate let connection: OpaquePointer

  /// Opens a file for reading, or makes one.
  package init(_ path: String, isReadOnly: Bool = true) throws {
    var connection: OpaquePointer?
    let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    // As ours, without a lock around each call.
    guard sqlite3_open_v2(path, &connection, flags | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
      let connection
    else {
      throw RawError(message: "cannot open \(path)")
    }
    self.connection = connection
    try run(Self.listSettings)
  }

  /// What the library's readers of lists are set to.
  package static let listSettings = "PRAGMA cache_size = -2000; PRAGMA mmap_size = 0"

  /// What the library's readers of blobs are set to.
  package static let blobSettings = "PRAGMA cache_size = -256; PRAGMA mmap_size = 2147418112"

  deinit {
    sqlite3_close(connection)
  }

  /// Runs statements that give no rows.
  package func run(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  /// Prepares a statement that is kept.
  package func prepare(_ sql: String) throws -> RawStatement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
      let statement
    else { throw error() }
    return RawStatement(statement)
  }

  /// Prepares a query that must find its rows, in their order, by an index.
  package func prepareIndexed(_ sql: String) throws -> RawStatement {
    let plan = try prepare("EXPLAIN QUERY PLAN \(sql)")
    try Self.requireIndexed(plan.readTexts(column: 3), of: sql)
    return try prepare(sql)
  }

  /// Throws if a query reads a whole table or sorts what it reads.
  package static func requireIndexed(_ plan: [String], of sql: String) throws {
    let faults = plan.filter {
      $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") && !$0.contains("INDEX")
    }
    guard !plan.isEmpty, faults.isEmpty else {
      throw RawError(message: "\(plan.joined(separator: "; ")): \(sql)")
    }
  }

  private func error() -> RawError {
    RawError(message: String(cString: sqlite3_errmsg(connection)))
  }
}

/// A prepared statement.
package final class RawStatement {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  deinit {
    sqlite3_finalize(statement)
  }

  package func bind(_ number: Int64, at place: Int32) {
    sqlite3_bind_int64(statement, place, number)
  }

  package func bind(_ text: String, at place: Int32) {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(statement, place, text, Int32(text.utf8.count), transient)
  }

  package func bind(_ bytes: [UInt8], at place: Int32) {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_blob(statement, place, bytes, Int32(bytes.count), transient)
  }

  /// Binds bytes that stay where they are until the statement has run.
  package func bindInPlace(_ bytes: UnsafeRawBufferPointer, at place: Int32) {
    sqlite3_bind_blob64(statement, place, bytes.baseAddress, sqlite3_uint64(bytes.count), nil)
  }

  /// Copies up to 50 rows of a list into C's structures, and gives their number.
  @discardableResult
  package func readRows() -> Int {
    withUnsafeTemporaryAllocation(of: c_row.self, capacity: 50) { rows in
      let count = c_rows_read(UnsafeMutableRawPointer(statement), rows.baseAddress, rows.count)
      c_rows_free(rows.baseAddress, count)
      return count
    }
  }

  /// Runs a statement that gives no rows.
  package func run() throws {
    defer { sqlite3_reset(statement) }
    guard sqlite3_step(statement) == SQLITE_DONE else { throw RawError(message: "not done") }
  }

  /// The numbers in the first column of all rows.
  package func readNumbers() -> [Int64] {
    defer { sqlite3_reset(statement) }
    var numbers: [Int64] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      numbers.append(sqlite3_column_int64(statement, 0))
    }
    return numbers
  }

  /// The texts in one column of all rows.
  package func readTexts(column: Int32) -> [String] {
    defer { sqlite3_reset(statement) }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      if let text = sqlite3_column_text(statement, column) { texts.append(String(cString: text)) }
    }
    return texts
  }
}

/// What SQLite said.
package struct RawError: Error {
  package let message: String

  package init(message: String) {
    self.message = message
  }
}

/// A handle of SQLite's on the chunks of a blob.
package final class RawBlob {
  private let database: RawDatabase
  private var handle: OpaquePointer?

  package init(_ database: RawDatabase) {
    self.database = database
  }

  deinit {
    sqlite3_blob_close(handle)
  }

  package func move(to row: Int64) throws {
    let result =
      handle.map { sqlite3_blob_reopen($0, row) }
      ?? sqlite3_blob_open(database.connection, "main", "blob_chunk", "data", row, 0, &handle)
    guard result == SQLITE_OK else { throw RawError(message: "no such chunk") }
  }

  package func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    let result = sqlite3_blob_read(handle, buffer.baseAddress, Int32(buffer.count), Int32(offset))
    guard result == SQLITE_OK else { throw RawError(message: "cannot read a chunk") }
  }
}
