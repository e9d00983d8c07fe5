public import Foundation

/// What an image or a recording tells of itself, beyond what its row holds.
///
/// A detail that could not be told is `nil`.
public struct MediaDetails: Sendable, Hashable, Codable {
  /// The media type, such as `image/jpeg`.
  public var mediaType: String
  /// The width in pixels as displayed.
  public var pixelWidth: Int?
  /// The height in pixels as displayed.
  public var pixelHeight: Int?
  /// The playing time in seconds.
  public var seconds: Double?
  /// How many samples a second each channel has.
  public var sampleRate: Int?
  /// How many channels there are.
  public var channelCount: Int?
  /// The title written into the file.
  public var title: String?
  /// When the picture was taken; without a zone in the file, by the zone of this machine.
  public var takenAt: Date?

  /// Gathers details; each is unknown unless it is set afterwards.
  ///
  /// - Parameter mediaType: The media type.
  public init(mediaType: String) {
    self.mediaType = mediaType
  }
}
