package import GRDB

// Reads single values. GRDB's own functions convert: text in a number column becomes 0 in one place
// and ends the process in another. These throw if a damaged file holds what the schema forbids.
extension Database {
  /// Reads all results of a SELECT.
  package func values<Value>(
    _ sql: String,
    _ arguments: [DatabaseValue] = [],
    _ value: (StatementRow) throws -> Value
  ) throws -> [Value] {
    var statement = try SteppedStatement(sql, in: self)
    for argument in arguments { try statement.bind(argument) }
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
    var statement = try SteppedStatement(sql, in: self)
    for argument in arguments { try statement.bind(argument) }
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
