internal import CImageDecoding
internal import CSoundDecoding
public import SnippetStorage

/// Which images and recordings can be decoded on this machine, and by what.
public struct MediaSupport: Sendable, Hashable {
  /// The version of libvips; `nil` where it is not installed, or this package was built without it.
  public let libvipsVersion: String?
  /// The version of libsndfile; `nil` when this package was built without it.
  public let libsndfileVersion: String?
  /// The types that can be decoded.
  public let decodableTypes: [ContentType]

  /// What this process can decode, found out once.
  public static let current = MediaSupport()

  private init() {
    libvipsVersion = snippet_image_version().map { String(cString: $0) }
    // "libsndfile-1.2.0".
    libsndfileVersion = snippet_sound_version().map { version in
      String(String(cString: version).drop { !$0.isNumber })
    }
    decodableTypes = ContentType.allCases.filter { type in
      if let loader = Self.imageLoaders[type] {
        snippet_image_has_loader(loader) != 0 && Self.decodesSample(of: type)
      } else {
        Self.soundFormats[type].map { snippet_sound_has_format($0) != 0 } ?? false
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

  // A BMP is handed over as a TIFF.
  private static let imageLoaders: [ContentType: String] = [
    .png: "pngload_buffer", .jpeg: "jpegload_buffer", .gif: "gifload_buffer",
    .webP: "webpload_buffer", .tiff: "tiffload_buffer", .bmp: "tiffload_buffer",
    .heic: "heifload_buffer", .avif: "heifload_buffer",
  ]

  // The major formats of libsndfile.
  private static let soundFormats: [ContentType: Int32] = [
    .wav: 0x010000, .aiff: 0x020000, .caf: 0x180000, .flac: 0x170000, .ogg: 0x200000,
    .mp3: 0x230000,
  ]
}
