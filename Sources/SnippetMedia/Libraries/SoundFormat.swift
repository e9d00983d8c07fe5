internal import CMedia
internal import SnippetStorage

/// How libav takes a type of recording apart.
struct SoundFormat {
  /// The demuxer, which is the only one that is tried.
  let demuxer: String
  /// The decoders of what such files hold as a rule, by libav's names.
  private let decoders: [String]

  private static let all: [ContentType: SoundFormat] = [
    .wav: SoundFormat(demuxer: "wav", decoders: ["pcm_s16le", "pcm_f32le"]),
    .aiff: SoundFormat(demuxer: "aiff", decoders: ["pcm_s16be"]),
    .caf: SoundFormat(demuxer: "caf", decoders: ["pcm_s16le", "alac"]),
    .flac: SoundFormat(demuxer: "flac", decoders: ["flac"]),
    .ogg: SoundFormat(demuxer: "ogg", decoders: ["vorbis", "opus"]),
    .mp3: SoundFormat(demuxer: "mp3", decoders: ["mp3float"]),
    .m4a: SoundFormat(demuxer: "mov", decoders: ["aac", "alac"]),
    .aac: SoundFormat(demuxer: "aac", decoders: ["aac"]),
    .amr: SoundFormat(demuxer: "amr", decoders: ["amrnb", "amrwb"]),
    .webM: SoundFormat(demuxer: "matroska", decoders: ["opus", "vorbis"]),
    .matroska: SoundFormat(demuxer: "matroska", decoders: ["opus", "flac"]),
  ]

  /// Finds what there is for a type; `nil` for one that is no recording.
  init?(_ type: ContentType) {
    guard let format = Self.all[type] else { return nil }
    self = format
  }

  private init(demuxer: String, decoders: [String]) {
    (self.demuxer, self.decoders) = (demuxer, decoders)
  }

  /// Whether the libraries here were built with all that it takes.
  var isDecodable: Bool { decoders.allSatisfy { snippet_libav_decodes(demuxer, $0) != 0 } }
}
