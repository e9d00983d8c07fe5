/// A position in one state of a list.
///
/// Positions of different states have different types, so that they cannot be mixed up.
protocol RowPosition: Strideable, Hashable, Sendable where Stride == Int {
  /// The position, counted from 0.
  var rawValue: Int { get }

  init(_ rawValue: Int)
}

extension RowPosition {
  func distance(to other: Self) -> Int { other.rawValue - rawValue }

  func advanced(by distance: Int) -> Self { Self(rawValue + distance) }
}

/// A position in the state that the host knows.
struct HostPosition: RowPosition {
  let rawValue: Int

  init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A position in the state of the rows around the viewport, which the host may not know yet.
struct WindowPosition: RowPosition {
  let rawValue: Int

  init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A position in the state of the rows aside, which may be later than that of the window.
struct AsidePosition: RowPosition {
  let rawValue: Int

  init(_ rawValue: Int) { self.rawValue = rawValue }
}

extension Range where Bound: RowPosition {
  init(_ rawValues: Range<Int>) {
    self = Bound(rawValues.lowerBound)..<Bound(rawValues.upperBound)
  }

  var rawValues: Range<Int> { lowerBound.rawValue..<upperBound.rawValue }
}
