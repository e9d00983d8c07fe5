public import Foundation

/// What is known of a capture that has not become a snippet yet.
public struct CaptureRow: Sendable, Hashable, Identifiable {
  /// The identity within the store.
  public let id: CaptureID
  /// The identity of the snippet that it becomes.
  public let uuid: UUID
  /// The kind that was given; `nil` lets the bytes decide.
  public let kind: SnippetKind?
  /// The title that was given; `nil` lets the content decide.
  public let title: String?
  /// The tags that it was given.
  public let tags: [String]
  /// The media type that was given; `nil` lets the bytes decide.
  public let mediaType: String?
  /// When it was started.
  public let startedAt: Date
  /// When bytes of it were last made durable.
  public let appendedAt: Date
  /// How many bytes of it are durable.
  public let byteCount: Int64
  /// Whether somebody is still capturing: this process, or another one that is running.
  ///
  /// If not, a crash left it: finish it or discard it.
  public let isInProgress: Bool
}
