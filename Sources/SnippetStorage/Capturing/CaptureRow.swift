public import Foundation

/// What is known of a capture that has not become a snippet yet.
public struct CaptureRow: Sendable, Hashable, Identifiable {
  /// The identity within the store.
  public let id: CaptureID
  /// The identity of the snippet that it becomes.
  public let uuid: UUID
  /// The kind that it was said to have; `nil` where the bytes will tell.
  public let kind: SnippetKind?
  /// The title that it was given; `nil` where the content will tell.
  public let title: String?
  /// The tags that it was given.
  public let tags: [String]
  /// The media type that it was said to have; `nil` where the bytes will tell.
  public let mediaType: String?
  /// When it was started.
  public let startedAt: Date
  /// When bytes of it were last made durable.
  public let appendedAt: Date
  /// How many bytes of it are durable.
  public let byteCount: Int64
  /// Whether somebody is still capturing: this process, or another one that is running.
  ///
  /// One that is not is what a crash has left: it can be finished or discarded.
  public let isInProgress: Bool
}
