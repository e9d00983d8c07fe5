/// How short memory is.
public enum MemoryPressure: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// There is enough.
  case normal
  /// It is becoming short.
  case warning
  /// The system is about to kill processes for lack of it.
  case critical

  /// Whether memory is less short.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
