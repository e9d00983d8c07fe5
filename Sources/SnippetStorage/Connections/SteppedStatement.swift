package import Foundation
package import GRDB
import GRDBSQLite

/// A running prepared statement, bound and stepped with SQLite's own functions.
///
/// GRDB's rows and arguments are objects, which would double the cost of reading a window of a
/// list. The statement itself belongs to GRDB, which keeps it prepared.
struct SteppedStatement: ~Copyable {
  /// Keeps the handle valid, unless another owner does.
  private let statement: Statement?
  private let handle: OpaquePointer
  private var boundCount: Int32 = 0

  /// Takes the prepared statement from the connection's cache, or prepares it.
  ///
  /// ``execute()`` only runs one that `writes`.
  init(_ sql: String, in db: Database, writes: Bool = false) throws {
    let statement = try db.cachedStatement(sql: sql)
    // Stops GRDB from checking arguments that it does not know.
    if writes { statement.setUncheckedArguments(StatementArguments()) }
    self.statement = statement
    handle = statement.sqliteStatement
  }

  /// Wraps a reading statement that another owner keeps prepared.
  init(kept handle: OpaquePointer) {
    statement = nil
    self.handle = handle
  }

  deinit {
    // Otherwise it would hold its snapshot until its next use. An error that it returns was already
    // thrown.
    sqlite3_reset(handle)
  }

  /// Begins again with the first argument.
  mutating func reset() {
    sqlite3_reset(handle)
    boundCount = 0
  }

  /// Binds the next argument; `nil` becomes NULL.
  mutating func bind(_ number: Int64?) throws {
    boundCount += 1
    guard let number else { return try requireBound(sqlite3_bind_null(handle, boundCount)) }
    try requireBound(sqlite3_bind_int64(handle, boundCount, number))
  }

  /// Binds the next argument, which SQLite copies; `nil` becomes NULL.
  mutating func bind(_ text: String?) throws {
    guard let text else { return try bind(nil as Int64?) }
    boundCount += 1
    let (handle, place) = (handle, boundCount)
    // Given as an argument, Swift would copy the text first.
    let code = text.withCString { bytes in
      sqlite3_bind_text64(
        handle,
        place,
        bytes,
        UInt64(text.utf8.count),
        Self.copied,
        UInt8(SQLITE_UTF8)
      )
    }
    try requireBound(code)
  }

  /// Binds the next argument.
  mutating func bind(_ uuid: UUID) throws {
    boundCount += 1
    let (handle, place) = (handle, boundCount)
    let code = withUnsafeBytes(of: uuid.uuid) { bytes in
      sqlite3_bind_blob(handle, place, bytes.baseAddress, Int32(bytes.count), Self.copied)
    }
    try requireBound(code)
  }

  /// Binds the next argument.
  mutating func bind(_ value: DatabaseValue) throws {
    switch value.storage {
    case .int64(let number): try bind(number)
    case .string(let text): try bind(text)
    case .null: try bind(nil as Int64?)
    case .blob(let bytes): try bind(bytes)
    case .double: throw DatabaseError(resultCode: .SQLITE_MISMATCH)
    }
  }

  /// Binds the next argument, which SQLite copies.
  mutating func bind(_ bytes: Data) throws {
    boundCount += 1
    let (handle, place) = (handle, boundCount)
    let code = bytes.withUnsafeBytes { bytes in
      // Without an address it would be NULL.
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, place, 0)
        : sqlite3_bind_blob64(
          handle,
          place,
          bytes.baseAddress,
          UInt64(bytes.count),
          Self.copied
        )
    }
    try requireBound(code)
  }

  /// Runs a writing statement through GRDB, which informs its observers.
  func execute() throws {
    try statement?.execute()
  }

  /// Returns the next result; `nil` at the end.
  mutating func next() throws -> StatementRow? {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return StatementRow(handle) }
    guard code == SQLITE_DONE else { throw error(code) }
    return nil
  }

  private func requireBound(_ code: Int32) throws {
    if code != SQLITE_OK { throw error(code) }
  }

  private func error(_ code: Int32) -> DatabaseError {
    DatabaseError(code, on: sqlite3_db_handle(handle))
  }

  // SQLITE_TRANSIENT is a cast in C, which Swift does not import.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// The columns of a result, valid until its statement continues.
///
/// A column that holds what the schema forbids, as in a damaged file, throws an error.
package struct StatementRow {
  private let handle: OpaquePointer

  fileprivate init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  /// Returns the number in a column.
  package func number(_ column: Int32) throws -> Int64 {
    let value = value(column)
    guard sqlite3_value_type(value) == SQLITE_INTEGER else { throw damage(column) }
    return sqlite3_value_int64(value)
  }

  /// Returns the number in a column; `nil` if it is NULL.
  package func optionalNumber(_ column: Int32) throws -> Int64? {
    try isNull(column) ? nil : number(column)
  }

  /// Returns the text in a column.
  package func text(_ column: Int32) throws -> String {
    try withText(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the text in a column; `nil` if it is NULL.
  package func optionalText(_ column: Int32) throws -> String? {
    try isNull(column) ? nil : text(column)
  }

  /// Returns the bytes in a column.
  package func bytes(_ column: Int32) throws -> Data {
    try withBytes(column) { Data($0) }
  }

  /// Returns the UUID in a column.
  package func uuid(_ column: Int32) throws -> UUID {
    guard let uuid = try withBytes(column, UUID.init(bytes:)) else { throw damage(column) }
    return uuid
  }

  /// Calls `body` with the bytes of the text in a column, which it must not keep.
  package func withText<Result>(
    _ column: Int32,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) throws -> Result {
    let value = value(column)
    guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
      throw damage(column)
    }
    return try body(UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
  }

  /// Calls `body` with the bytes in a column, which it must not keep.
  package func withBytes<Result>(
    _ column: Int32,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let value = value(column)
    guard sqlite3_value_type(value) == SQLITE_BLOB else { throw damage(column) }
    let start = sqlite3_value_blob(value)
    return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
  }

  /// Whether a column is NULL.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_value_type(value(column)) == SQLITE_NULL
  }

  /// Whether a column holds a number.
  func isNumber(_ column: Int32) -> Bool {
    sqlite3_value_type(value(column)) == SQLITE_INTEGER
  }

  /// The value in a column, looked up once for its type and its content.
  ///
  /// It must stay on one thread (https://www.sqlite.org/c3ref/column_blob.html), and a connection
  /// uses only one at a time.
  private func value(_ column: Int32) -> OpaquePointer? {
    sqlite3_column_value(handle, column)
  }

  private func damage(_ column: Int32) -> DatabaseError {
    let name = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
    return .damage("a value is missing that must be there: \(name.prefix { $0 != "\n" })")
  }
}

// Reads single values. GRDB's own functions convert: text in a number column becomes 0 in one place
// and ends the process in another. These throw if a damaged file holds what the schema forbids.
extension Database {
  /// Prepares a statement and binds its arguments.
  func stepped(
    _ sql: String,
    _ arguments: [DatabaseValue],
    writes: Bool = false
  ) throws -> SteppedStatement {
    var statement = try SteppedStatement(sql, in: self, writes: writes)
    for argument in arguments { try statement.bind(argument) }
    return statement
  }

  /// Reads all results of a SELECT.
  package func values<Value>(
    _ sql: String,
    _ arguments: [DatabaseValue] = [],
    _ value: (StatementRow) throws -> Value
  ) throws -> [Value] {
    var statement = try stepped(sql, arguments)
    var values: [Value] = []
    while let row = try statement.next() { values.append(try value(row)) }
    return values
  }

  /// Reads the first result of a SELECT; `nil` if there is none.
  package func value<Value>(
    _ sql: String,
    _ arguments: [DatabaseValue] = [],
    _ value: (StatementRow) throws -> Value
  ) throws -> Value? {
    var statement = try stepped(sql, arguments)
    return try statement.next().map(value)
  }

  /// Reads numbers.
  package func numbers(_ sql: String, _ arguments: [DatabaseValue] = []) throws -> [Int64] {
    try values(sql, arguments) { try $0.number(0) }
  }

  /// Reads a number; `nil` if there is none.
  package func number(_ sql: String, _ arguments: [DatabaseValue] = []) throws -> Int64? {
    try value(sql, arguments) { try $0.optionalNumber(0) } ?? nil
  }
}
