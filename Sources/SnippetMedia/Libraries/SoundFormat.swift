internal import CMedia
internal import SnippetStorage

/// The way in which libav decodes a type of recording.
struct SoundFormat {
  /// The demuxer; no other is tried.
  let demuxer: String
  /// The usual decoders for such files, by libav's names.
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

  /// Finds the format for a type; `nil` if it is not a recording.
  init?(_ type: ContentType) {
    guard let format = Self.all[type] else { return nil }
    self = format
  }

  private init(demuxer: String, decoders: [String]) {
    (self.demuxer, self.decoders) = (demuxer, decoders)
  }

  /// Whether the installed libraries include everything needed.
  var isDecodable: Bool { decoders.allSatisfy { snippet_libav_decodes(demuxer, $0) != 0 } }
}
