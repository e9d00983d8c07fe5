/// The identity of a capture within its store.
public struct CaptureID: RawRepresentable, Hashable, Comparable, Codable, Sendable,
  CustomStringConvertible
{
  /// The number, as the database stores it in `capture.id`.
  public var rawValue: Int64

  /// Wraps a number that came from a store.
  ///
  /// - Parameter rawValue: The number in `capture.id`.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The capture of a staged blob.
  init(_ blob: BlobID) {
    rawValue = blob.rawValue
  }

  /// The number in digits.
  public var description: String { String(rawValue) }

  /// Orders identities by the order in which they were assigned.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The staged blob of the capture.
  ///
  /// The snippet uses it, unless the store already has its bytes.
  var blob: BlobID { BlobID(rawValue: rawValue) }
}
