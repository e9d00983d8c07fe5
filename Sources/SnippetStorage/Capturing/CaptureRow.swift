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
