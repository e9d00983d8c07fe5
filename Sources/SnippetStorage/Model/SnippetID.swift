/// The identity of a snippet within its store.
///
/// The number is never reused, even after the snippet was deleted. So a stale identifier may find
/// nothing, but never another snippet.
public struct SnippetID: RawRepresentable, Hashable, Comparable, Codable, Sendable,
  CustomStringConvertible
{
  /// The number, as the database stores it in `snippet.id`.
  public var rawValue: Int64

  /// Wraps a number from a store.
  ///
  /// - Parameter rawValue: The number in `snippet.id`.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The number in digits.
  public var description: String { String(rawValue) }

  /// Orders identities by the order in which they were assigned.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
