internal import CMedia
public import SnippetStorage

/// Which images and recordings can be decoded on this machine, and by what.
public struct MediaSupport: Sendable, Hashable {
  /// The version of libvips; `nil` where it is not installed, or this package was built without it.
  public let libvipsVersion: String?
  /// The version of libav, the libraries of FFmpeg; `nil` where those that this package was built
  /// for are not installed, or it was built without.
  public let libavVersion: String?
  /// The number of the libavformat that this package was built for, as in `libavformat.so.59`.
  ///
  /// No other one is used. `nil` when the package was built without the trait `Media`, and decodes
  /// nothing.
  public let libavformatNumber: Int?
  /// The types that can be decoded.
  public let decodableTypes: [ContentType]

  /// What this process can decode, found out once.
  public static let current = MediaSupport()

  private init() {
    libvipsVersion = snippet_image_version().map { String(cString: $0) }
    let number = Int(snippet_libav_interface())
    libavformatNumber = number > 0 ? number : nil
    libavVersion = snippet_libav_version().map { String(cString: $0) }
    decodableTypes = ContentType.allCases.filter { type in
      if let loader = Self.imageLoaders[type] {
        snippet_image_has_loader(loader) != 0 && Self.decodesSample(of: type)
          && (type != .bmp || snippet_libav_decodes(nil, "bmp") != 0)
      } else {
        SoundFormat(type)?.isDecodable ?? false
      }
    }
  }

  private static func decodesSample(of type: ContentType) -> Bool {
    guard let sample = CodecSample.bytes(of: type) else { return true }
    // Why it cannot be decoded is that the codec is not there.
    return
      (try? LibraryMedia().thumbnail(of: MediaInput(sample), as: .init(maximumPixelSize: 16)) {
        false
      }) != nil
  }

  /// Whether thumbnails can be made at all.
  public var decodesImages: Bool { decodableTypes.contains { $0.kind == .image } }

  /// Whether waveforms can be made at all.
  public var decodesRecordings: Bool { decodableTypes.contains { $0.kind == .voice } }

  /// The types that are kept and cannot be decoded.
  public var undecodableTypes: [ContentType] {
    ContentType.allCases.filter { $0.kind != .text && !decodableTypes.contains($0) }
  }

  // libav hands a BMP over as a TIFF.
  private static let imageLoaders: [ContentType: String] = [
    .png: "pngload_buffer", .jpeg: "jpegload_buffer", .gif: "gifload_buffer",
    .webP: "webpload_buffer", .tiff: "tiffload_buffer", .bmp: "tiffload_buffer",
    .heic: "heifload_buffer", .avif: "heifload_buffer",
  ]
}
