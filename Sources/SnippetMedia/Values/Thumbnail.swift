public import Foundation

/// A small picture of an image: upright, in sRGB, and without the place where it was taken.
public struct Thumbnail: Sendable, Hashable {
  /// How its bytes are written.
  public enum Form: UInt8, Sendable, Hashable, CaseIterable {
    /// Four bytes a pixel, red, green, blue and alpha, not multiplied; the rows from the top,
    /// without a gap.
    case rgba = 0
    /// A JPEG file: the image has no transparency.
    case jpeg = 1
    /// A WebP file: the image has transparency.
    case webP = 2
  }

  /// The width in pixels.
  public let pixelWidth: Int
  /// The height in pixels.
  public let pixelHeight: Int
  /// How the bytes are written.
  public let form: Form
  /// The pixels, or the file.
  public let bytes: Data

  /// Makes a thumbnail out of its parts.
  ///
  /// - Parameters:
  ///   - pixelWidth: The width in pixels.
  ///   - pixelHeight: The height in pixels.
  ///   - form: How the bytes are written.
  ///   - bytes: The pixels, or the file; `nil` is returned for pixels that are not as many as the
  ///     size says.
  public init?(pixelWidth: Int, pixelHeight: Int, form: Form, bytes: Data) {
    guard (1...65_535).contains(pixelWidth), (1...65_535).contains(pixelHeight),
      form != .rgba || bytes.count == pixelWidth * pixelHeight * 4
    else { return nil }
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.form = form
    self.bytes = bytes
  }
}

/// What thumbnail is wanted.
public struct ThumbnailRequest: Sendable, Hashable {
  /// The most pixels on each side; a smaller image is not made larger.
  public let maximumPixelSize: Int
  /// Whether it is to be small and kept, as ``Thumbnail/Form/jpeg``, or ``Thumbnail/Form/webP``
  /// with transparency; otherwise it is ready to be shown, as ``Thumbnail/Form/rgba``.
  public let isEncoded: Bool

  /// Describes a thumbnail.
  ///
  /// - Parameters:
  ///   - maximumPixelSize: The most pixels on each side, from 1 to 4,096.
  ///   - isEncoded: Whether it is to be small and kept. The default is ready to be shown.
  public init(maximumPixelSize: Int, isEncoded: Bool = false) {
    self.maximumPixelSize = min(max(1, maximumPixelSize), 4_096)
    self.isEncoded = isEncoded
  }
}
