/// A type of content that a store takes.
///
/// It is recognized by the bytes, never by the name of a file.
public struct ContentType: Sendable, Hashable {
  /// The kind: text, image or voice.
  public let kind: SnippetKind
  /// The media type, such as `image/png`, in the form that rows store.
  public let mediaType: String
  /// The usual file name extension, without its dot.
  public let fileExtension: String
  /// The name that people use, such as PNG.
  public let name: String

  private init(_ kind: SnippetKind, _ mediaType: String, _ fileExtension: String, _ name: String) {
    self.kind = kind
    self.mediaType = mediaType
    self.fileExtension = fileExtension
    self.name = name
  }

  /// Returns the type with a media type.
  ///
  /// - Parameter mediaType: The media type of one of ``allCases``; anything else gives `nil`.
  public init?(mediaType: String) {
    guard let type = Self.allCases.first(where: { $0.mediaType == mediaType }) else { return nil }
    self = type
  }
}

extension ContentType {
  /// Text in any ``TextEncoding``.
  public static let plainText = ContentType(.text, "text/plain", "txt", "Text")

  /// A PNG image, animated or not.
  public static let png = ContentType(.image, "image/png", "png", "PNG")
  /// A JPEG image.
  public static let jpeg = ContentType(.image, "image/jpeg", "jpg", "JPEG")
  /// A GIF image, animated or not.
  public static let gif = ContentType(.image, "image/gif", "gif", "GIF")
  /// A WebP image, animated or not.
  public static let webP = ContentType(.image, "image/webp", "webp", "WebP")
  /// A TIFF or BigTIFF image.
  public static let tiff = ContentType(.image, "image/tiff", "tiff", "TIFF")
  /// A Windows bitmap.
  public static let bmp = ContentType(.image, "image/bmp", "bmp", "BMP")
  /// A HEIF image coded in HEVC.
  public static let heic = ContentType(.image, "image/heic", "heic", "HEIC")
  /// A HEIF image coded in AV1.
  public static let avif = ContentType(.image, "image/avif", "avif", "AVIF")
  /// A raw picture in Adobe's format.
  ///
  /// A raw picture is shown by the largest JPEG in it, and has the size of the full picture.
  public static let dng = ContentType(.image, "image/x-adobe-dng", "dng", "DNG")
  /// A raw picture of a Nikon.
  public static let nef = ContentType(.image, "image/x-nikon-nef", "nef", "NEF")
  /// A raw picture of a Canon, as they were until 2018.
  public static let cr2 = ContentType(.image, "image/x-canon-cr2", "cr2", "CR2")
  /// A raw picture of a Sony.
  public static let arw = ContentType(.image, "image/x-sony-arw", "arw", "ARW")
  /// A raw picture of a Fujifilm.
  public static let raf = ContentType(.image, "image/x-fuji-raf", "raf", "RAF")

  /// A WAVE recording, including the 64-bit forms RF64 and BW64.
  public static let wav = ContentType(.voice, "audio/wav", "wav", "WAV")
  /// An AIFF or AIFF-C recording.
  public static let aiff = ContentType(.voice, "audio/aiff", "aiff", "AIFF")
  /// A recording in a Core Audio file.
  public static let caf = ContentType(.voice, "audio/x-caf", "caf", "CAF")
  /// A native FLAC recording.
  public static let flac = ContentType(.voice, "audio/flac", "flac", "FLAC")
  /// A Vorbis, Opus, FLAC or Speex recording in an Ogg stream.
  public static let ogg = ContentType(.voice, "audio/ogg", "ogg", "Ogg")
  /// An MPEG layer III recording.
  public static let mp3 = ContentType(.voice, "audio/mpeg", "mp3", "MP3")
  /// An MPEG-4, QuickTime or 3GP file with sound and without video.
  public static let m4a = ContentType(.voice, "audio/mp4", "m4a", "M4A")
  /// An AAC recording without a container (ADTS).
  ///
  /// For HE-AAC the sample rate is that of the coded signal, half of the audible one, because the
  /// audible one is not given outside of the sound.
  public static let aac = ContentType(.voice, "audio/aac", "aac", "AAC")
  /// An AMR recording, narrow-band or wide-band.
  public static let amr = ContentType(.voice, "audio/amr", "amr", "AMR")
  /// A WebM file with sound and without video.
  public static let webM = ContentType(.voice, "audio/webm", "webm", "WebM")
  /// A Matroska file with sound and without video.
  public static let matroska = ContentType(.voice, "audio/matroska", "mka", "Matroska")
}

extension ContentType: CaseIterable {
  /// Every type that a store takes: text, then images, then recordings.
  public static let allCases: [ContentType] = [
    .plainText,
    .png, .jpeg, .gif, .webP, .tiff, .bmp, .heic, .avif,
    .dng, .nef, .cr2, .arw, .raf,
    .wav, .aiff, .caf, .flac, .ogg, .mp3, .m4a, .aac, .amr, .webM, .matroska,
  ]
}
