package import Foundation
import GRDB

/// A value in a result of SQL.
package enum SQLValue: Sendable, Hashable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case bytes(Data)
}

extension SnippetStore {
  /// Runs SQL that only reads, and passes on its rows one by one.
  ///
  /// The schema is public: the views `snippets`, `texts`, `blobs`, `small_blobs` and `tags` are
  /// made for people. The SQL runs in one snapshot on a separate connection that cannot write, so
  /// `onRow` may use the store. A store in memory is copied for it.
  ///
  /// - Parameters:
  ///   - sql: One or several statements.
  ///   - onRow: Receives the names of the columns and the values of the next row. An error that it
  ///     throws ends the query and is rethrown.
  /// - Throws: ``SnippetStoreError``: `.invalidSQL` if the SQL is not valid or does more than read;
  ///   or errors of `onRow`.
  package func query(
    _ sql: String,
    onRow: (_ columns: [String], _ values: [SQLValue]) throws -> Void
  ) throws {
    let operation = "run the SQL"
    let connection: DatabaseQueue
    do {
      connection = try connections.ownReader(busyTimeout: configuration.busyTimeout)
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
    do {
      try connection.snapshot { db in
        QueryAuthorization.begin(db)
        defer { QueryAuthorization.end(db) }
        let statements = try db.allStatements(sql: sql)
        while let statement = try statements.next() {
          guard statement.isReadonly else { throw DatabaseError(resultCode: .SQLITE_AUTH) }
          let columns = Array(statement.columnNames)
          let rows = try Row.fetchCursor(statement)
          while let row = try rows.next() {
            let values = Array(row.databaseValues.map(SQLValue.init))
            do { try onRow(columns, values) } catch { throw CallerError(error: error) }
          }
        }
      }
    } catch let error as CallerError {
      throw error.error
    } catch let error as DatabaseError where error.resultCode == .SQLITE_AUTH {
      throw SnippetStoreError(
        .invalidSQL,
        operation,
        because: "it does more than read",
        do: "Use SELECT, or the sqlite3 shell.",
        underlying: error
      )
    } catch let error as DatabaseError where Self.faultsOfSQL.contains(error.resultCode) {
      throw SnippetStoreError(
        .invalidSQL,
        operation,
        because: error.message ?? "it is not valid",
        do: "The names stand in: SELECT name FROM sqlite_schema.",
        underlying: error
      )
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }
}

extension SnippetStore {
  /// SQLite's errors for SQL that it does not understand or cannot carry out.
  ///
  /// Missing arguments give `SQLITE_MISUSE`, which elsewhere means a closed connection.
  private static let faultsOfSQL: [ResultCode] = [
    .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_MISUSE, .SQLITE_RANGE, .SQLITE_TOOBIG,
  ]
}

/// An error of the caller's closure, to be rethrown.
private struct CallerError: Error {
  let error: any Error
}

extension SQLValue {
  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .bytes(data)
    }
  }
}
