public import Foundation

/// A small picture of an image: upright, in sRGB, and without the location where it was taken.
public struct Thumbnail: Sendable, Hashable {
  /// The form of the bytes.
  public enum Form: UInt8, Sendable, Hashable, CaseIterable {
    /// Four bytes per pixel: red, green, blue and alpha, not premultiplied.
    ///
    /// Rows from the top, without gaps.
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
  /// The form of the bytes.
  public let form: Form
  /// The pixels, or the file.
  public let bytes: Data
  /// The width of the image in pixels as displayed; `nil` if the decoder does not tell.
  ///
  /// A row gets it if its header told another size or none.
  public let imagePixelWidth: Int?
  /// The height of the image in pixels as displayed; `nil` if the decoder does not tell.
  public let imagePixelHeight: Int?

  /// Makes a thumbnail from its parts.
  ///
  /// - Parameters:
  ///   - pixelWidth: The width in pixels.
  ///   - pixelHeight: The height in pixels.
  ///   - form: The form of the bytes.
  ///   - bytes: The pixels or the file. If the number of pixels does not match the size, the result
  ///     is `nil`.
  ///   - imagePixelWidth: The width of the image. The default is unknown; so is any size that is
  ///     smaller than the thumbnail, or that a row cannot have.
  ///   - imagePixelHeight: The height of the image. The default is unknown.
  public init?(
    pixelWidth: Int,
    pixelHeight: Int,
    form: Form,
    bytes: Data,
    imagePixelWidth: Int? = nil,
    imagePixelHeight: Int? = nil
  ) {
    guard (1...65_535).contains(pixelWidth), (1...65_535).contains(pixelHeight),
      form != .rgba || bytes.count == pixelWidth * pixelHeight * 4
    else { return nil }
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.form = form
    self.bytes = bytes
    let sides = 1...Int(Int32.max)
    if let imagePixelWidth, let imagePixelHeight, sides.contains(imagePixelWidth),
      sides.contains(imagePixelHeight), imagePixelWidth >= pixelWidth,
      imagePixelHeight >= pixelHeight
    {
      (self.imagePixelWidth, self.imagePixelHeight) = (imagePixelWidth, imagePixelHeight)
    } else {
      (self.imagePixelWidth, self.imagePixelHeight) = (nil, nil)
    }
  }
}

/// The requested size and form of a thumbnail.
public struct ThumbnailRequest: Sendable, Hashable {
  /// The largest width and height in pixels; smaller images are not enlarged.
  public let maximumPixelSize: Int
  /// Whether to make a small file to store, ``Thumbnail/Form/jpeg`` or with transparency
  /// ``Thumbnail/Form/webP``.
  ///
  /// Otherwise the result is ready to be shown, ``Thumbnail/Form/rgba``.
  public let isEncoded: Bool

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - maximumPixelSize: The largest width and height in pixels, from 1 to 4,096.
  ///   - isEncoded: Whether to make a small file to store. The default is `false`: ready to be
  ///     shown.
  public init(maximumPixelSize: Int, isEncoded: Bool = false) {
    self.maximumPixelSize = min(max(1, maximumPixelSize), 4_096)
    self.isEncoded = isEncoded
  }
}
