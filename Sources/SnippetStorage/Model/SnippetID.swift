/// The identity of a snippet within its store.
///
/// A number that is given once and never again, not even after the snippet was deleted, so that
/// a stale identity can find nothing but never finds another snippet.
public struct SnippetID: RawRepresentable, Hashable, Comparable, Codable, Sendable,
  CustomStringConvertible
{
  /// The number, as the database stores it in `snippet.id`.
  public var rawValue: Int64

  /// Wraps a number that came from a store.
  ///
  /// - Parameter rawValue: The number in `snippet.id`.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The number in digits.
  public var description: String { String(rawValue) }

  /// Orders identities by the order in which they were given.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
