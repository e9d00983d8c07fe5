import Foundation
import GRDBSQLite

/// SQLite's C functions and nothing else: the fastest way there is to read rows.
final class RawDatabase {
  private let connection: OpaquePointer

  /// Opens a file for reading, or makes one.
  init(_ path: String, isReadOnly: Bool = true) throws {
    var connection: OpaquePointer?
    let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK, let connection else {
      throw RawError(message: "cannot open \(path)")
    }
    self.connection = connection
  }

  deinit {
    sqlite3_close(connection)
  }

  /// Runs statements that give no rows.
  func run(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  /// Prepares a statement that is kept.
  func prepare(_ sql: String) throws -> RawStatement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
      let statement
    else { throw error() }
    return RawStatement(statement)
  }

  private func error() -> RawError {
    RawError(message: String(cString: sqlite3_errmsg(connection)))
  }
}

/// A prepared statement.
final class RawStatement {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  deinit {
    sqlite3_finalize(statement)
  }

  func bind(_ number: Int64, at place: Int32) {
    sqlite3_bind_int64(statement, place, number)
  }

  func bind(_ text: String, at place: Int32) {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(statement, place, text, -1, transient)
  }

  func bind(_ bytes: [UInt8], at place: Int32) {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_blob(statement, place, bytes, Int32(bytes.count), transient)
  }

  /// Steps through all rows, reads every column, and gives the number of rows.
  @discardableResult
  func readAll() -> Int {
    defer { sqlite3_reset(statement) }
    var count = 0
    let columns = sqlite3_column_count(statement)
    while sqlite3_step(statement) == SQLITE_ROW {
      for column in 0..<columns {
        if sqlite3_column_type(statement, column) == SQLITE_TEXT {
          _ = sqlite3_column_text(statement, column).map { String(cString: $0) }
        } else {
          _ = sqlite3_column_int64(statement, column)
        }
      }
      count += 1
    }
    return count
  }

  /// A number from the first row.
  func readNumber(_ column: Int32 = 0) -> Int64 {
    defer { sqlite3_reset(statement) }
    return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, column) : 0
  }
}

/// What SQLite said.
struct RawError: Error {
  let message: String
}
