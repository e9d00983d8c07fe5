import GRDB
import SnippetStorage

/// Reads what can be read of a table, around what cannot.
struct SalvageWalk {
  let db: Database
  let check: () throws -> Void

  /// Calls `body` with every row that can be reached.
  ///
  /// Where reading fails, the numbers from there on are halved again and again, until each range can
  /// be read or has one number only. Where nothing can be read up to the end of the range, whose end
  /// may be damage too, ``reach`` more numbers are tried.
  ///
  /// - Parameters:
  ///   - sql: A SELECT with the number of the row first, in its order, for a range of two numbers.
  ///   - range: The numbers that there can be.
  ///   - unreadable: Told the numbers that cannot be looked up, whether or not there are rows.
  ///   - body: Takes a row; it is left out if `body` throws damage.
  /// - Throws: What `check` throws, and what `body` throws but damage.
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
        try db.forEachRow(sql, [range.lowerBound, range.upperBound].map(\.databaseValue)) { row in
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
        if range.upperBound - next < Self.reach {
          middle = next + (range.upperBound - next) / 2
          ranges.append(middle + 1...range.upperBound)
        } else if let readable = try readableNumber(sql, in: next...range.upperBound) {
          middle = readable - 1
          ranges.append(readable...range.upperBound)
        } else {
          middle = next + Self.reach - 1
          unreadable(middle + 1...range.upperBound)
        }
        ranges.append(next...middle)
      }
    }
  }

  /// So many numbers beyond the last that could be read are looked up one by one: those of a few
  /// thousand pages.
  private static let reach: Int64 = 1 << 18

  /// The first number behind the beginning of a range, in steps that double, that can be looked up,
  /// whether or not there is a row; `nil` where none can.
  private func readableNumber(_ sql: String, in range: ClosedRange<Int64>) throws -> Int64? {
    var step = Self.reach
    while step <= range.upperBound - range.lowerBound {
      try check()
      let number = range.lowerBound + step
      do {
        try db.forEachRow(sql, [number, number].map(\.databaseValue)) { _ in false }
        return number
      } catch let error as DatabaseError where SalvagedFile.isDamage(error) {
        step *= 2
      }
    }
    return nil
  }

  /// Calls `body` with the rows of a SELECT as far as they can be read, from both its ends.
  ///
  /// - Parameters:
  ///   - sql: A SELECT without its order.
  ///   - key: What the index that it reads is ordered by.
  ///   - body: Takes a row, perhaps twice.
  /// - Throws: What `check` throws, and what `body` throws but damage.
  func fromBothEnds(
    _ sql: String,
    by key: String,
    _ body: (StatementRow) throws -> Void
  ) throws {
    for order in ["ASC", "DESC"] {
      do {
        try db.forEachRow("\(sql) ORDER BY \(key) \(order)") { row in
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

  /// The first value of a SELECT; `nil` where it cannot be read.
  func value<Value>(
    _ sql: String,
    _ argument: Int64,
    _ value: (StatementRow) throws -> Value
  ) throws -> Value? {
    do {
      return try db.value(sql, [argument.databaseValue], value)
    } catch let error as DatabaseError where SalvagedFile.isDamage(error) {
      return nil
    }
  }

  /// The highest number among those that some SELECTs tell, as far as they can be read.
  func highest(of selects: [String]) throws -> Int64 {
    var highest: Int64 = 0
    for sql in selects {
      do {
        highest = max(highest, try db.number(sql) ?? 0)
      } catch let error as DatabaseError where SalvagedFile.isDamage(error) {
        continue
      }
    }
    return highest
  }
}
