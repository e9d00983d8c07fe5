internal import CMedia
package import SnippetStorage

/// The images and recordings that can be decoded on this machine, and the libraries that do it.
package struct MediaSupport: Sendable, Hashable {
  /// The version of libvips; `nil` if it is not installed, or this package was built without it.
  package let libvipsVersion: String?
  /// The version of libav, the libraries of FFmpeg; `nil` if the versions that this package was
  /// built for are not installed, or it was built without them.
  package let libavVersion: String?
  /// The version number of the libavformat that this package was built for, as in
  /// `libavformat.so.59`.
  ///
  /// No other version is used. `nil` if the package was built without the trait `Media`, and
  /// decodes nothing.
  package let libavformatNumber: Int?
  /// The types that can be decoded.
  package let decodableTypes: [ContentType]

  /// The support in this process, determined once.
  package static let current = MediaSupport()

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
    // The only reason to fail is a missing codec.
    return
      (try? LibraryMedia().thumbnail(of: MediaInput(sample), as: .init(maximumPixelSize: 16)) {
        false
      }) != nil
  }

  /// Whether any thumbnails can be made.
  package var decodesImages: Bool { decodableTypes.contains { $0.kind == .image } }

  /// Whether any waveforms can be made.
  package var decodesRecordings: Bool { decodableTypes.contains { $0.kind == .voice } }

  /// The types that a store takes but that cannot be decoded.
  package var undecodableTypes: [ContentType] {
    ContentType.allCases.filter { $0.kind != .text && !decodableTypes.contains($0) }
  }

  // libav converts a BMP to a TIFF.
  private static let imageLoaders: [ContentType: String] = [
    .png: "pngload_buffer", .jpeg: "jpegload_buffer", .gif: "gifload_buffer",
    .webP: "webpload_buffer", .tiff: "tiffload_buffer", .bmp: "tiffload_buffer",
    .heic: "heifload_buffer", .avif: "heifload_buffer",
    // By the JPEG in them.
    .dng: "jpegload_buffer", .nef: "jpegload_buffer", .cr2: "jpegload_buffer",
    .arw: "jpegload_buffer", .raf: "jpegload_buffer",
  ]
}
