/// The moment of an edit, as the clock of its device told it.
///
/// Stamps order edits that did not know each other. An edit that replaces another always has the
/// greater stamp, however wrong a clock is.
struct Stamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970, UTC.
  var milliseconds: Int64
  var device: DeviceID

  init(_ milliseconds: Int64, _ device: DeviceID) {
    self.milliseconds = milliseconds
    self.device = device
  }

  /// The dates that a store can hold: the years 1 to 9999.
  static let dates: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// The moments that a stamp can have.
  ///
  /// They end after all dates, because an edit is later than what it replaces, even where that has
  /// the last date.
  static let moments: ClosedRange<Int64> = dates.lowerBound...9_007_199_254_740_991

  /// Returns the moment of an edit that replaces one of another moment.
  ///
  /// Only after the last of all moments it is the same.
  static func moment(of edited: Int64, replacing replaced: Int64?) -> Int64 {
    guard let replaced else { return edited }
    return max(edited, min(replaced, moments.upperBound - 1) + 1)
  }

  /// Returns the stamp of a value that no person has given: every edit is later.
  static func unedited(on device: DeviceID) -> Stamp { Stamp(moments.lowerBound, device) }

  static func < (one: Stamp, other: Stamp) -> Bool {
    (one.milliseconds, one.device) < (other.milliseconds, other.device)
  }
}

/// A field whose last edit counts.
///
/// Of two edits with one stamp, the greater value counts, so that merging never depends on an order.
struct Register<Value: Hashable & Comparable & Sendable>: Hashable, Sendable {
  var value: Value
  var stamp: Stamp

  init(_ value: Value, _ stamp: Stamp) {
    self.value = value
    self.stamp = stamp
  }

  mutating func merge(_ other: Register) {
    if (stamp, value) < (other.stamp, other.value) { self = other }
  }
}

/// The title that a person gave, or that of the content.
enum TitleMark: Hashable, Comparable, Sendable {
  case title(String)
  /// The title that was made of the content, or none once the snippet is deleted for good.
  ///
  /// The greatest value: where a snippet is deleted, all that have its title erase it too.
  case ofContent
}

/// Whether a snippet is pinned.
enum PinMark: Hashable, Comparable, Sendable {
  case unpinned, pinned
}

/// Whether a snippet carries a tag, and how the tag is spelt.
enum TagMark: Hashable, Comparable, Sendable {
  case off
  case on(String)
}

/// Whether a snippet is in the trash, and since when.
enum TrashMark: Hashable, Comparable, Sendable {
  case out
  case since(Int64)
}
