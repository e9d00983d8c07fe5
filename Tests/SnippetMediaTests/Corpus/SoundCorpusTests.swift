import Foundation
import SnippetRecognition
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetMedia

/// Recordings as other programs make them: what they are is told, and what is heard is shown.
@Suite(
  .enabled(if: MediaTools.areExpected, MediaTools.reason),
  .temporaryDirectory,
  .timeLimit(.minutes(30))
)
struct SoundCorpusTests {
  private static let peakCount = 60
  /// That of the sound itself.
  private static let plainWaveform = Result {
    try LibraryMedia().waveform(
      of: MediaInput(CorpusSound.original.wav),
      peakCount: peakCount
    ) { false }
  }

  @Test(arguments: CorpusSound.all)
  func `a recording has the facts and the waveform of its sound`(sound: CorpusSound) async throws {
    let bytes = try await sound.bytes
    let input = MediaInput(bytes)

    let content = try #require(try input.recognized())
    let waveform = try Decoder.sharedWorkers
      .waveform(of: input, peakCount: Self.peakCount) { false }

    #expect(content.type == sound.type)
    #expect(content.facts.sampleRate == sound.sampleRate)
    #expect(content.facts.channelCount == sound.channelCount)
    // What is written as it is heard cannot tell how long it will be.
    if let duration = content.facts.duration {
      #expect(abs(duration / .seconds(1) - 3) < 0.1, "\(duration)")
    } else {
      #expect(["live.webm", "untold.mp3", "fragments.m4a"].contains(sound.name))
    }
    #expect(abs(waveform.duration / .seconds(1) - 3) < 0.1, "\(waveform.duration)")
    #expect(waveform.sampleRate == sound.sampleRate)
    #expect(waveform.channelCount == sound.channelCount)
    #expect(waveform.peaks.count == Self.peakCount)
    let plain = try Self.plainWaveform.get()
    for (place, (found, wanted)) in zip(waveform.peaks, plain.peaks).enumerated() {
      let distances = [
        Int(found.lowest) - Int(wanted.lowest), Int(found.highest) - Int(wanted.highest),
      ]
      #expect(distances.allSatisfy { abs($0) <= sound.tolerance }, "\(place): \(distances)")
    }
  }

  // In seconds: what is left of the three.
  @Test(arguments: [("opus.webm", 0, 0.5, 1.0...2.0), ("memo.aac", 100, 1.0, 2.8...3.1)])
  func `a recording without its end or its beginning is shown as far as it goes`(
    name: String,
    missingCount: Int,
    share: Double,
    seconds: ClosedRange<Double>
  ) async throws {
    let sound = try #require(CorpusSound.all.first { $0.name == name })
    let whole = try await sound.bytes
    let part = whole.prefix(Int(Double(whole.count) * share)).dropFirst(missingCount)

    let waveform = try Decoder.sharedWorkers
      .waveform(of: MediaInput(Data(part)), peakCount: Self.peakCount) { false }

    #expect(seconds.contains(waveform.duration / .seconds(1)), "\(waveform.duration)")
    #expect(waveform.peaks.count == Self.peakCount)
  }

  @Test(arguments: ["memo.m4a", "memo.mka"])
  func `the title and the date within are taken`(name: String) async throws {
    let folder = TemporaryDirectory.current.url
    let original = folder.appendingPathComponent("original.wav")
    try CorpusSound.original.wav.write(to: original)
    let file = folder.appendingPathComponent(name)
    try await MediaTools.run(
      "ffmpeg",
      [
        "-v", "error", "-i", original.path, "-c:a", "aac", "-metadata", "title=Grüße, 牛乳",
        "-metadata", "creation_time=2026-01-31T12:00:00Z", file.path,
      ]
    )

    let content = try MediaInput(try Data(contentsOf: file)).recognized()

    #expect(content?.title == "Grüße, 牛乳")
    #expect(content?.dates.best == Date(timeIntervalSince1970: 1_769_860_800))
  }

  @Test(arguments: [
    ("a.mp4", "MP4", "-c:v mpeg4 -c:a aac"), ("a.mov", "QuickTime", "-c:v mpeg4 -c:a aac"),
    ("a.3gp", "3GP", "-c:v mpeg4 -c:a aac"), ("a.mkv", "Matroska", "-c:v mpeg4 -c:a libvorbis"),
    ("a.webm", "WebM", "-c:v libvpx -c:a libopus"), ("a.avi", "AVI", "-c:v mpeg4 -c:a mp3"),
    ("silent.mp4", "MP4", "-an -c:v mpeg4"),
  ])
  func `a video is told to be one, and is no recording`(
    name: String,
    format: String,
    options: String
  ) async throws {
    let folder = TemporaryDirectory.current.url
    let file = folder.appendingPathComponent(name)
    let sources = "-f lavfi -i testsrc=duration=1:size=64x48:rate=5 -f lavfi -i sine=duration=1"
    try await MediaTools.run(
      "ffmpeg",
      ["-v", "error"] + "\(sources) \(options)".split(separator: " ").map(String.init)
        + [file.path]
    )
    let store = try TemporaryStore.open()

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.save(SnippetDraft(.file(at: file)))
    }

    #expect(error?.code == .unsupportedContent)
    #expect(error?.reason.hasPrefix("it is a video (\(format)); ") == true, "\(error as Any)")
  }

  // No program at hand writes it; a decoder takes any bits within a frame.
  @Test func `frames of wide-band AMR are decoded at their rate`() throws {
    var bytes = Data("#!AMR-WB\n".utf8)
    for seed in 0..<50 { bytes += Data([0x44]) + Samples.bytes(60, seed: UInt64(seed)) }
    let input = MediaInput(bytes)

    let waveform = try Decoder.sharedWorkers.waveform(of: input, peakCount: 10) { false }

    #expect(try input.recognized()?.facts.duration == .seconds(1))
    #expect(waveform.frameCount == 16_000 && waveform.sampleRate == 16_000)
    #expect(waveform.peaks.contains { $0.highest > 0 })
  }
}
