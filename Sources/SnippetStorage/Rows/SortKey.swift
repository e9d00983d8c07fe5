import GRDB

/// The place of a snippet in an order: the compared value, then the unique id.
struct SortKey: Sendable, Equatable {
  enum Value: Sendable, Equatable {
    case number(Int64)
    case text(String)
  }

  var value: Value
  var id: Int64

  init(value: Value, id: Int64) {
    self.value = value
    self.id = id
  }

  /// Reads the key from the first two columns of a result; throws if a damaged file holds none.
  init(_ row: StatementRow) throws {
    value = try row.isNumber(0) ? .number(row.number(0)) : .text(row.text(0))
    id = try row.number(1)
  }

  /// Whether one key precedes another in ascending order, exactly as SQLite compares.
  static func precedes(_ lhs: SortKey, _ rhs: SortKey) -> Bool {
    switch (lhs.value, rhs.value) {
    case (.number(let left), .number(let right)):
      return left == right ? lhs.id < rhs.id : left < right
    case (.text(let left), .text(let right)):
      let order = compareWithoutASCIICase(left, right)
      return order == 0 ? lhs.id < rhs.id : order < 0
    case (.number, .text): return true
    case (.text, .number): return false
    }
  }

  /// Whether two keys have the same place, exactly as SQLite compares.
  ///
  /// Swift's equality of texts differs from SQLite's in both directions.
  static func isSame(_ lhs: SortKey, _ rhs: SortKey) -> Bool {
    !precedes(lhs, rhs) && !precedes(rhs, lhs)
  }

  /// Whether two texts are equal to SQLite.
  static func isEqual(_ left: String, _ right: String) -> Bool {
    compareWithoutASCIICase(left, right) == 0
  }

  /// Whether a tag is another one, or below it as `work/berlin` is below `work`.
  static func isTag(_ tag: String, orBelow parent: String) -> Bool {
    guard tag.utf8.count > parent.utf8.count else { return isEqual(tag, parent) }
    let end = tag.utf8.index(tag.startIndex, offsetBy: parent.utf8.count)
    return tag.utf8[end] == UInt8(ascii: "/")
      && zip(tag.utf8, parent.utf8)
        .allSatisfy { lowercased($0) == lowercased($1) }
  }

  /// Returns a key that separates two neighbours of a list: after the first, and not after the
  /// second.
  ///
  /// Between two numbers it is the end of the first, so that a walk from there looks for no equal
  /// rows. From titles it takes only as many letters as it needs, so that long titles do not make
  /// long fences.
  static func fence(after former: SortKey, before latter: SortKey, isDescending: Bool) -> SortKey {
    guard case .text(let first) = former.value, case .text(let second) = latter.value else {
      return former.value == latter.value
        ? latter : SortKey(value: former.value, id: endOfEqual(isDescending: isDescending))
    }
    let (lesser, greater) = isDescending ? (second.utf8, first.utf8) : (first.utf8, second.utf8)
    var (place, other) = (greater.startIndex, lesser.startIndex)
    while place < greater.endIndex, other < lesser.endIndex,
      lowercased(greater[place]) == lowercased(lesser[other])
    {
      place = greater.index(after: place)
      other = lesser.index(after: other)
    }
    // Include the whole character that differs.
    while place < greater.endIndex {
      place = greater.index(after: place)
      if place == greater.endIndex || greater[place] & 0xC0 != 0x80 { break }
    }
    guard place < greater.endIndex else { return latter }
    return SortKey(value: .text(String(greater[..<place]) ?? ""), id: 0)
  }

  /// An identity after those of all rows: none is below 1 or above 2^53.
  static func endOfEqual(isDescending: Bool) -> Int64 { isDescending ? 0 : .max }

  /// Compares like SQLite's collation NOCASE: byte by byte, with `A` to `Z` taken as `a` to `z`.
  static func compareWithoutASCIICase(_ left: String, _ right: String) -> Int {
    var rightBytes = right.utf8.makeIterator()
    for leftByte in left.utf8 {
      guard let rightByte = rightBytes.next() else { return 1 }
      let difference = Int(lowercased(leftByte)) - Int(lowercased(rightByte))
      if difference != 0 { return difference }
    }
    return rightBytes.next() == nil ? 0 : -1
  }

  /// Returns a byte as NOCASE compares it.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

extension SortKey.Value {
  var databaseValue: DatabaseValue {
    switch self {
    case .number(let number): number.databaseValue
    case .text(let text): text.databaseValue
    }
  }
}
