import GRDB
import SnippetStorage

/// Reads the rows of a table that can be read, and skips damaged ones.
struct SalvageWalk {
  let db: Database
  /// The count of numbers to try one by one after the last one that could be read.
  let reach: Int64
  let check: () throws -> Void
  /// The number of bytes of the file, which no blob in it exceeds.
  private(set) var fileByteCount: Int64 = 0

  init(db: Database, reach: Int64, check: @escaping () throws -> Void) throws {
    (self.db, self.reach, self.check) = (db, reach, check)
    fileByteCount = try highest(
      of: ["SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"]
    )
  }

  /// Calls `body` with every row that can be reached, from a SELECT with the number of the row
  /// first, in its order, for a range of two numbers.
  ///
  /// Where reading fails, the rest of the range is halved again and again, until each part can be
  /// read or has one number only. If nothing can be read up to the end of the range, ``reach`` more
  /// numbers are tried: the end may be damage too. `unreadable` is called with the numbers that
  /// cannot be looked up, whether or not they have rows. A row is skipped if `body` throws damage.
  func forEach(
    _ sql: String,
    in range: ClosedRange<Int64>,
    unreadable: (ClosedRange<Int64>) -> Void = { _ in },
    _ body: (StatementRow) throws -> Void
  ) throws {
    var ranges = [range]
    while let range = ranges.popLast() {
      var next = range.lowerBound
      do {
        try forEachRow(sql, [range.lowerBound, range.upperBound]) { row in
          try check()
          let number = try row.number(0)
          // In a damaged file the rows may form a circle.
          guard number >= next, number <= range.upperBound else {
            throw DatabaseError.damage("rows are not in their order")
          }
          try body(row)
          guard number < range.upperBound else { return false }
          next = number + 1
          return true
        }
      } catch let error as DatabaseError where SalvagedFile.isDamage(error) {
        try check()
        guard next < range.upperBound else {
          if next == range.upperBound { unreadable(next...next) }
          continue
        }
        let middle: Int64
        if range.upperBound - next < reach {
          middle = next + (range.upperBound - next) / 2
          ranges.append(middle + 1...range.upperBound)
        } else if let readable = try readableNumber(sql, in: next...range.upperBound) {
          middle = readable - 1
          ranges.append(readable...range.upperBound)
        } else {
          middle = next + reach - 1
          unreadable(middle + 1...range.upperBound)
        }
        ranges.append(next...middle)
      }
    }
  }

  /// Returns the first number after the beginning of a range that can be looked up.
  ///
  /// The steps double, and a number counts whether or not it has a row. Returns `nil` if none can
  /// be looked up.
  private func readableNumber(_ sql: String, in range: ClosedRange<Int64>) throws -> Int64? {
    var step = reach
    while step <= range.upperBound - range.lowerBound {
      try check()
      let number = range.lowerBound + step
      do {
        try forEachRow(sql, [number, number]) { _ in false }
        return number
      } catch let error as DatabaseError where SalvagedFile.isDamage(error) {
        step *= 2
      }
    }
    return nil
  }

  /// Calls `body` with the rows of a SELECT that can be read, from both ends, perhaps twice with
  /// one.
  ///
  /// The key is the column that orders the index used; the SELECT has no order. A row is skipped if
  /// `body` throws damage.
  func fromBothEnds(
    _ sql: String,
    by key: String,
    _ body: (StatementRow) throws -> Void
  ) throws {
    for order in ["ASC", "DESC"] {
      do {
        try forEachRow("\(sql) ORDER BY \(key) \(order)") { row in
          try check()
          try body(row)
          return true
        }
        return
      } catch let error as DatabaseError where SalvagedFile.isDamage(error) {
        continue
      }
    }
  }

  /// Calls `body` with the rows that a SELECT finds, one by one, until it returns `false`.
  ///
  /// A copy that the medium cannot read is no damage.
  func forEachRow(
    _ sql: String,
    _ arguments: [Int64] = [],
    _ body: (StatementRow) throws -> Bool
  ) throws {
    try StoreSeam.read(db) { try db.forEachRow(sql, arguments.map(\.databaseValue), body) }
  }

  /// Returns the first value of a SELECT, or `nil` if it cannot be read.
  func value<Value>(
    _ sql: String,
    _ argument: Int64,
    _ value: (StatementRow) throws -> Value
  ) throws -> Value? {
    do {
      return try StoreSeam.read(db) { try db.value(sql, [argument.databaseValue], value) }
    } catch let error as DatabaseError where SalvagedFile.isDamage(error) {
      return nil
    }
  }

  /// Returns the highest result of some SELECTs, without those that cannot be read.
  func highest(of selects: [String]) throws -> Int64 {
    var highest: Int64 = 0
    for sql in selects {
      do {
        highest = max(highest, try StoreSeam.read(db) { try db.number(sql) } ?? 0)
      } catch let error as DatabaseError where SalvagedFile.isDamage(error) {
        continue
      }
    }
    return highest
  }
}
