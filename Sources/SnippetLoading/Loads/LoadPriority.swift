/// How urgent a load is; the highest of those who ask decides.
enum LoadPriority: UInt8, Comparable, CaseIterable, Sendable {
  /// May be needed if the movement goes on.
  case preload
  /// Is about to be on screen.
  case imminent
  /// Is on screen.
  case visible

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
