/// What is known of an image or a recording without decoding it.
///
/// A cell takes its final size from these facts before any blob is read. A fact that could not be
/// told is `nil`.
public struct MediaFacts: Sendable, Hashable {
  /// The width in pixels as displayed, with the orientation that the file asks for applied.
  public var pixelWidth: Int?
  /// The height in pixels as displayed, with the orientation that the file asks for applied.
  public var pixelHeight: Int?
  /// The playing time.
  public var duration: Duration?
  /// How many samples a second each channel of a recording has, in hertz, from 1 to 10,000,000.
  ///
  /// Of Opus it is the 48,000 at which it plays, whatever it was recorded at.
  public var sampleRate: Int?
  /// How many channels a recording has, from 1 to 1,024: 1 is mono, 2 is stereo.
  public var channelCount: Int?

  /// Gathers facts; each is unknown unless given.
  ///
  /// - Parameters:
  ///   - pixelWidth: The width in pixels as displayed.
  ///   - pixelHeight: The height in pixels as displayed.
  ///   - duration: The playing time.
  ///   - sampleRate: How many samples a second each channel of a recording has, in hertz.
  ///   - channelCount: How many channels a recording has.
  public init(
    pixelWidth: Int? = nil,
    pixelHeight: Int? = nil,
    duration: Duration? = nil,
    sampleRate: Int? = nil,
    channelCount: Int? = nil
  ) {
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.duration = duration
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}
