package import GRDB

// How values are read that are no rows of a list. GRDB's own ways convert: text becomes 0 here, and
// there the process ends. These throw where a damaged file holds what the schema forbids.
extension Database {
  /// Reads what a SELECT finds.
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

  /// Reads the first that a SELECT finds; `nil` when it finds nothing.
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

  /// Reads a number; `nil` when there is none.
  package func number(_ sql: String, _ arguments: [DatabaseValue] = []) throws -> Int64? {
    try value(sql, arguments) { try $0.optionalNumber(0) } ?? nil
  }
}
