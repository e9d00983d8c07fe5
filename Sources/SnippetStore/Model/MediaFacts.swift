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

  /// Gathers facts; each is unknown unless given.
  ///
  /// - Parameters:
  ///   - pixelWidth: The width in pixels as displayed.
  ///   - pixelHeight: The height in pixels as displayed.
  ///   - duration: The playing time.
  public init(pixelWidth: Int? = nil, pixelHeight: Int? = nil, duration: Duration? = nil) {
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.duration = duration
  }
}
