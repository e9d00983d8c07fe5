/// The urgency of a load; the most urgent request decides.
enum LoadPriority: UInt8, Comparable, CaseIterable, Sendable {
  /// The row may come on screen if the movement goes on.
  case preload
  /// The row is about to come on screen.
  case imminent
  /// The row is on screen.
  case visible

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
