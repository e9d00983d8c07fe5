/// The facts of content that are known without decoding it.
///
/// A cell gets its final size from these facts before any blob is read. An unknown fact is `nil`.
public struct MediaFacts: Sendable, Hashable {
  /// The width in pixels as displayed, after applying the orientation given in the file.
  public var pixelWidth: Int?
  /// The height in pixels as displayed, after applying the orientation given in the file.
  public var pixelHeight: Int?
  /// The playing time.
  public var duration: Duration?
  /// The sample rate of each channel of a recording in hertz, from 1 to 10,000,000.
  ///
  /// For Opus it is 48,000, the rate at which it plays, whatever it was recorded at.
  public var sampleRate: Int?
  /// The number of channels of a recording, from 1 to 1,024: 1 is mono, 2 is stereo.
  public var channelCount: Int?
  /// Whether the content is irregular and was kept all the same: the end of an image or a
  /// recording is missing, other bytes come before it, the head of a PNG does not match its checksum,
  /// or some bytes of a text are not characters.
  public var isIrregular: Bool

  /// Makes facts; each is unknown unless given.
  ///
  /// - Parameters:
  ///   - pixelWidth: The width in pixels as displayed.
  ///   - pixelHeight: The height in pixels as displayed.
  ///   - duration: The playing time.
  ///   - sampleRate: The sample rate of each channel of a recording in hertz.
  ///   - channelCount: The number of channels of a recording.
  ///   - isIrregular: Whether the content is irregular. The default is `false`.
  public init(
    pixelWidth: Int? = nil,
    pixelHeight: Int? = nil,
    duration: Duration? = nil,
    sampleRate: Int? = nil,
    channelCount: Int? = nil,
    isIrregular: Bool = false
  ) {
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.duration = duration
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.isIrregular = isIrregular
  }
}
