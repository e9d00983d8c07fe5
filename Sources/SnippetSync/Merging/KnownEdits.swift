/// The last edit of each device that is known, in milliseconds since 1970, whether or not it was
/// replaced since.
typealias KnownEdits = [DeviceID: Int64]

extension KnownEdits {
  /// Whether an edit is among those that are known.
  func knows(_ stamp: Stamp) -> Bool {
    self[stamp.device].map { $0 >= stamp.milliseconds } ?? false
  }

  /// Adds an edit.
  mutating func add(_ stamp: Stamp) {
    self[stamp.device] = Swift.max(stamp.milliseconds, self[stamp.device] ?? stamp.milliseconds)
  }

  /// Adds the edits that another device knows.
  mutating func join(_ other: KnownEdits) {
    merge(other, uniquingKeysWith: Swift.max)
  }
}

extension Dictionary where Key == Stamp {
  /// Merges values that no known edit has replaced: one stays that both sides have, or that one has and
  /// the other does not know.
  ///
  /// This is a dotted version vector set: merging depends on no order, and to merge one again changes
  /// nothing.
  ///
  /// - Parameters:
  ///   - known: The edits that are known here.
  ///   - other: The values of the other side.
  ///   - theirs: The edits that are known there.
  ///   - greater: The greater one of two values. Only a device that forgot its identity can give one stamp
  ///     to both.
  /// - Returns: The values of both sides.
  func merged(
    knowing known: KnownEdits,
    with other: Self,
    knowing theirs: KnownEdits,
    _ greater: (Value, Value) -> Value
  ) -> Self {
    var merged = other.filter { stamp, _ in self[stamp] == nil && !known.knows(stamp) }
    for (stamp, value) in self {
      if let same = other[stamp] {
        merged[stamp] = greater(value, same)
      } else if !theirs.knows(stamp) {
        merged[stamp] = value
      }
    }
    return merged
  }
}
