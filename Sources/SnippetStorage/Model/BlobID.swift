/// The identity of a blob within its store.
///
/// A blob never changes, and its number is never reused, so an identifier always means the same
/// bytes.
public struct BlobID: RawRepresentable, Hashable, Comparable, Codable, Sendable,
  CustomStringConvertible
{
  /// The number, as the database stores it in `blob.id`.
  public var rawValue: Int64

  /// Wraps a number from a store.
  ///
  /// - Parameter rawValue: The number in `blob.id`.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The number in digits.
  public var description: String { String(rawValue) }

  /// Orders identities by the order in which they were assigned.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
