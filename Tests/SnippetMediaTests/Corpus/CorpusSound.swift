import Foundation
import SnippetStorage
import Testing

/// A recording as one program or another makes it, of one and the same sound.
struct CorpusSound: CustomTestStringConvertible, Sendable {
  /// The name of the file.
  let name: String
  let type: ContentType
  let sampleRate: Int
  let channelCount: Int
  /// How far a peak may be from that of the plain sound, full scale being 127.
  let tolerance: Int
  private let program: String
  private let arguments: String

  var testDescription: String { name }

  private init(
    _ name: String,
    _ type: ContentType,
    _ arguments: String = "",
    by program: String = "ffmpeg",
    sampleRate: Int = 48_000,
    channelCount: Int = 1,
    tolerance: Int = 8
  ) {
    self.name = name
    self.type = type
    self.arguments = arguments
    self.program = program
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.tolerance = tolerance
  }

  static let all =
    phones + [
      // What computers keep.
      CorpusSound("s16.wav", .wav, "-c:a pcm_s16le", tolerance: 0),
      CorpusSound("u8.wav", .wav, "-c:a pcm_u8", tolerance: 2),
      CorpusSound("s24.wav", .wav, "-c:a pcm_s24le", tolerance: 0),
      CorpusSound("s32.wav", .wav, "-c:a pcm_s32le", tolerance: 0),
      CorpusSound("f32.wav", .wav, "-c:a pcm_f32le", tolerance: 0),
      CorpusSound("f64.wav", .wav, "-c:a pcm_f64le", tolerance: 0),
      CorpusSound("mulaw.wav", .wav, "-c:a pcm_mulaw", tolerance: 4),
      CorpusSound("alaw.wav", .wav, "-c:a pcm_alaw", tolerance: 4),
      CorpusSound(
        "stereo.wav",
        .wav,
        "-af pan=stereo|c0=c0|c1=c0 -c:a pcm_s16le",
        channelCount: 2,
        tolerance: 1
      ),
      CorpusSound("64-bit.wav", .wav, "-c:a pcm_s16le -rf64 always", tolerance: 0),
      CorpusSound("ima.wav", .wav, "-c:a adpcm_ima_wav"),
      CorpusSound("microsoft.wav", .wav, "-c:a adpcm_ms"),
      CorpusSound("gsm.wav", .wav, "-r 8000 -e gsm", by: "sox", sampleRate: 8000, tolerance: 25),
      CorpusSound("plain.aiff", .aiff, "-c:a pcm_s16be", tolerance: 0),
      CorpusSound("s24.aiff", .aiff, "-c:a pcm_s24be", tolerance: 0),
      CorpusSound("sox.aiff", .aiff, by: "sox", tolerance: 1),
      CorpusSound("plain.caf", .caf, "-c:a pcm_s16le", tolerance: 0),
      CorpusSound("lossless.caf", .caf, "-c:a alac", tolerance: 0),
      CorpusSound("plain.flac", .flac, "-c:a flac", tolerance: 0),
      CorpusSound("s24.flac", .flac, "-c:a flac -sample_fmt s32", tolerance: 0),
      CorpusSound("vorbis.ogg", .ogg, "-c:a libvorbis -q:a 6"),
      CorpusSound("flac.ogg", .ogg, "-c:a flac", tolerance: 0),
      CorpusSound("speex.ogg", .ogg, "-ar 16000 -c:a libspeex", sampleRate: 16_000, tolerance: 25),
      CorpusSound("constant.mp3", .mp3, "-c:a libmp3lame -b:a 128k"),
      CorpusSound("untold.mp3", .mp3, "-c:a libmp3lame -q:a 4 -write_xing 0"),
    ]

  /// What phones and browsers record.
  private static let phones = [
    CorpusSound("memo.m4a", .m4a, "-c:a aac -b:a 96k"),
    CorpusSound("lossless.m4a", .m4a, "-c:a alac", tolerance: 0),
    CorpusSound("index-first.m4a", .m4a, "-c:a aac -b:a 96k -movflags +faststart"),
    CorpusSound(
      "fragments.m4a",
      .m4a,
      "-c:a aac -b:a 96k -movflags +frag_keyframe+empty_moov -frag_duration 500000"
    ),
    CorpusSound(
      "stereo.m4a",
      .m4a,
      "-af pan=stereo|c0=c0|c1=c0 -c:a aac -b:a 128k",
      channelCount: 2
    ),
    CorpusSound("sound.mp4", .m4a, "-c:a aac -b:a 96k"),
    CorpusSound("sound.mov", .m4a, "-c:a aac -b:a 96k"),
    CorpusSound("sound.3gp", .m4a, "-c:a aac -b:a 96k"),
    CorpusSound("opus.mp4", .m4a, "-c:a libopus -b:a 64k"),
    CorpusSound("memo.aac", .aac, "-c:a aac -b:a 96k"),
    CorpusSound("tagged.aac", .aac, "-c:a aac -b:a 96k -metadata title=Memo -write_id3v2 1"),
    CorpusSound("speech.amr", .amr, "-c:a copy", by: "amr", sampleRate: 8000, tolerance: 30),
    CorpusSound("speech.3gp", .m4a, "-c:a copy", by: "amr", sampleRate: 8000, tolerance: 30),
    CorpusSound("opus.webm", .webM, "-c:a libopus -b:a 64k"),
    CorpusSound("vorbis.webm", .webM, "-c:a libvorbis -q:a 6"),
    CorpusSound("live.webm", .webM, "-c:a libopus -b:a 64k", by: "pipe"),
    CorpusSound("opus.mka", .matroska, "-c:a libopus -b:a 64k"),
    CorpusSound("flac.mka", .matroska, "-c:a flac", tolerance: 0),
    CorpusSound("plain.mka", .matroska, "-c:a pcm_s16le", tolerance: 0),
    CorpusSound("opus.ogg", .ogg, "-c:a libopus -b:a 64k"),
  ]

  /// Three seconds that swell, fade and swell, from low to high.
  static let original: SoundFile = {
    let samples = (0..<144_000).map { index in
      let time = Double(index) / 48_000
      let swelling = sin(time / 3 * 2 * .pi)
      let loudness = 0.05 + 0.75 * swelling * swelling
      return loudness * sin(2 * .pi * (300 * time + 100 * time * time))
    }
    return SoundFile(sampleRate: 48_000, channels: [samples])
  }()

  /// The bytes of the file; all are made once in a run of the tests.
  ///
  /// - Throws: `Shell.Failure` when a program fails.
  var bytes: Data {
    get async throws {
      let made = try await Self.making.value
      return try #require(made[name])
    }
  }

  private static let making = Task {
    try await MediaTools.inFolder { folder in
      let original = folder.appendingPathComponent("original.wav")
      try Self.original.wav.write(to: original)
      let speech = folder.appendingPathComponent("speech.amr-nb")
      try await MediaTools.run("sox", [original.path, "-r", "8000", speech.path])
      // One process makes many files, because each takes longer to start than to make one.
      try await encode(
        all.filter { $0.program == "ffmpeg" },
        of: ["-i", original.path],
        in: folder
      )
      try await encode(
        all.filter { $0.program == "amr" },
        of: ["-f", "amr", "-i", speech.path],
        in: folder
      )
      for sound in all { try await sound.makeAlone(of: original, in: folder) }
      var made: [String: Data] = [:]
      for sound in all {
        made[sound.name] = try Data(contentsOf: folder.appendingPathComponent(sound.name))
      }
      return made
    }
  }

  private var options: [String] { arguments.split(separator: " ").map(String.init) }

  private static func encode(
    _ sounds: [CorpusSound],
    of input: [String],
    in folder: URL
  ) async throws {
    let outputs = sounds.flatMap { $0.options + [folder.appendingPathComponent($0.name).path] }
    try await MediaTools.run("ffmpeg", ["-v", "error", "-y"] + input + outputs)
  }

  /// Makes the file, if its program makes one only.
  private func makeAlone(of original: URL, in folder: URL) async throws {
    let file = folder.appendingPathComponent(name)
    switch program {
    case "sox": try await MediaTools.run("sox", [original.path] + options + [file.path])
    case "pipe":
      // Into a pipe nothing can be written that is known at the end only.
      let command = "ffmpeg -v error -i \"$1\" \(arguments) -f webm - | cat > \"$2\""
      try await MediaTools.run("sh", ["-c", command, "sh", original.path, file.path])
    default: break
    }
  }
}
