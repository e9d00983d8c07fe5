internal import SnippetStorage

/// What became of a read of rows.
struct RowDelivery: Sendable {
  /// Which read it was.
  let serial: UInt64
  let rows: Result<RowUpdate, any Error>
}

/// The reading of rows apart from the main actor, one read at a time.
struct RowReading {
  enum Purpose {
    /// More rows in the direction of the movement.
    case ahead
    /// The same rows again, because the list has changed.
    case refresh
  }

  /// The number of the read that is under way.
  private(set) var serial: UInt64 = 0
  /// What the read that is under way is for; `nil` when none is.
  private(set) var purpose: Purpose?
  /// Whether rows were read since the read under way, or the last one, began.
  private(set) var isOvertaken = false
  /// Whether the rows must be read again: once the read under way is done, or with the next
  /// movement when that failed.
  var isRefreshDue = false

  mutating func begin(_ purpose: Purpose) -> UInt64 {
    serial += 1
    self.purpose = purpose
    isOvertaken = false
    return serial
  }

  /// Ends the read under way, if a delivery belongs to it.
  mutating func end(_ serial: UInt64) -> Purpose? {
    guard serial == self.serial else { return nil }
    defer { purpose = nil }
    return purpose
  }

  /// Notes that rows were read: an older failure says nothing any more.
  mutating func overtake() {
    isOvertaken = true
  }

  /// Forgets the read under way: its delivery will count for nothing.
  mutating func abandon() {
    serial += 1
    purpose = nil
    isRefreshDue = false
  }
}
