/// The identity of a capture within its store.
public struct CaptureID: RawRepresentable, Hashable, Comparable, Sendable,
  CustomStringConvertible
{
  /// The number, as the database stores it in `recording.id`.
  public var rawValue: Int64

  /// Wraps a number that came from a store.
  ///
  /// - Parameter rawValue: The number in `recording.id`.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The number in digits.
  public var description: String { String(rawValue) }

  /// Orders identities by the order in which they were given.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The blob that the capture becomes, unless the store has its bytes already.
  var blob: BlobID { BlobID(rawValue: rawValue) }
}
