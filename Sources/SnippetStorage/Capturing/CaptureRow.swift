public import Foundation

/// A capture that has not become a snippet yet.
public struct CaptureRow: Sendable, Hashable, Identifiable {
  /// The identity within the store.
  public let id: CaptureID
  /// The identity of the future snippet.
  public let uuid: UUID
  /// The given kind; if `nil`, the bytes decide.
  public let kind: SnippetKind?
  /// The given title; if `nil`, the content decides.
  public let title: String?
  /// The given tags.
  public let tags: [String]
  /// The given media type; if `nil`, the bytes decide.
  public let mediaType: String?
  /// The time at which the capture started.
  public let startedAt: Date
  /// The time at which bytes were last made durable.
  public let appendedAt: Date
  /// The number of durable bytes.
  public let byteCount: Int64
  /// Whether this process or another running one is still capturing.
  ///
  /// If not, it is left from a crash: finish or discard it.
  public let isInProgress: Bool
}

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
