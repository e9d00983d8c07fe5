import Foundation
import SnippetBase
import SnippetMedia
import SnippetRecognition
import SnippetStorage
import Testing

@Suite(.enabled(if: MediaSupport.current.decodesRecordings), .timeLimit(.minutes(30)))
struct WaveformTests {
  private func waveform(
    _ file: SoundFile,
    peakCount: Int = 100,
    _ decoder: Decoder = .library
  ) throws -> Waveform {
    try decoder.make().waveform(of: MediaInput(file.wav), peakCount: peakCount) { false }
  }

  /// The peaks by their definition.
  private func reference(_ file: SoundFile, peakCount: Int) -> [Waveform.Peak] {
    let frameCount = file.channels[0].count
    let count = min(peakCount, frameCount)
    return (0..<count).map { part in
      let frames = frameCount * part / count..<frameCount * (part + 1) / count
      let samples = file.channels.flatMap { $0[frames].map { Float(file.format.kept($0)) } }
      return Waveform.Peak(
        lowest: Int8(((samples.min() ?? 0) * 127).rounded()),
        highest: Int8(((samples.max() ?? 0) * 127).rounded())
      )
    }
  }

  private static func sine(_ count: Int, amplitude: Double = 0.8, period: Double = 50) -> [Double] {
    (0..<count).map { amplitude * sin(Double($0) / period * 2 * .pi) }
  }

  @Test(arguments: SampleFormat.allCases, Decoder.allCases)
  func `a sine has its exact peaks in every format`(format: SampleFormat, decoder: Decoder) throws {
    let file = SoundFile(format: format, channels: [Self.sine(10_007)])

    let waveform = try waveform(file, decoder)

    #expect(waveform.peaks == reference(file, peakCount: 100))
    #expect(waveform.frameCount == 10_007)
    #expect(waveform.sampleRate == 8_000 && waveform.channelCount == 1)
    #expect(waveform.bytes.count == 216)
  }

  @Test(arguments: [[UInt8](repeating: 0, count: 512), [0xEF, 0xBB, 0xBF]], Decoder.allCases)
  func `bytes before a recording cost nothing`(junk: [UInt8], decoder: Decoder) throws {
    let file = SoundFile(channels: [Self.sine(10_007)])
    let input = MediaInput(Data(junk) + file.wav)

    let waveform = try decoder.make().waveform(of: input, peakCount: 100) { false }

    #expect(waveform.peaks == reference(file, peakCount: 100))
  }

  @Test(arguments: Decoder.allCases)
  func `a FLAC that is cut short is shown as far as it goes`(decoder: Decoder) throws {
    let bytes = try DemoFile.bytes("evening-bell.flac")
    let beginning = Data(bytes.prefix(bytes.count * 9 / 10))

    let whole = try decoder.make().waveform(of: MediaInput(bytes), peakCount: 100) { false }
    let cut = try decoder.make().waveform(of: MediaInput(beginning), peakCount: 100) { false }

    #expect(cut.peaks.count == 100)
    #expect(cut.frameCount < whole.frameCount && cut.frameCount > whole.frameCount / 2)
  }

  @Test(arguments: Decoder.allCases)
  func `the first peaks are told of while the others are found`(decoder: Decoder) throws {
    let file = SoundFile(channels: [Self.sine(400_000, period: 7_001)])
    var parts: [Waveform] = []

    let media = decoder.make(partInterval: .zero)
    let whole = try media.waveform(
      of: MediaInput(file.wav),
      peakCount: 100,
      onPart: { parts.append($0) },
      isCancelled: { false }
    )

    #expect(whole.peaks == reference(file, peakCount: 100))
    // 32,768 samples are read at a time, the last of them fewer.
    #expect(parts.count == 400_000 / 32_768 + 1)
    let silence = Waveform.Peak(lowest: Int8(0), highest: 0)
    var found = 0
    for part in parts {
      let more = part.peaks.lastIndex { $0 != silence }.map { $0 + 1 } ?? 0
      #expect(more > found)
      #expect(part.peaks.prefix(more) == whole.peaks.prefix(more))
      #expect(part.peaks.count == 100 && part.frameCount == 400_000)
      found = more
    }
  }

  @Test(arguments: Decoder.allCases)
  func `a short recording has no parts to tell of`(decoder: Decoder) throws {
    let media = decoder.make(limits: MediaLimits(), partInterval: .seconds(600))
    let file = SoundFile(channels: [Self.sine(400_000)])

    _ = try media.waveform(
      of: MediaInput(file.wav),
      peakCount: 100,
      onPart: { _ in Issue.record("a part") },
      isCancelled: { false }
    )
  }

  @Test(arguments: SampleFormat.allCases)
  func `silence is silent`(format: SampleFormat) throws {
    let waveform = try waveform(
      SoundFile(format: format, channels: [[Double](repeating: 0, count: 4_000)])
    )

    #expect(waveform.peaks == [Waveform.Peak](repeating: .init(lowest: 0, highest: 0), count: 100))
  }

  @Test(arguments: [0, 1, 4_999, 5_000, 9_998, 9_999])
  func `a click is in its part and in no other`(place: Int) throws {
    var samples = [Double](repeating: 0, count: 10_000)
    samples[place] = -1

    let waveform = try waveform(SoundFile(channels: [samples]))

    for (part, peak) in waveform.peaks.enumerated() {
      #expect(peak == .init(lowest: part == place / 100 ? -127 : 0, highest: 0), "\(part)")
    }
  }

  @Test func `the louder of two channels counts`() throws {
    let left = Self.sine(3_000, amplitude: 0.2)
    let right = Self.sine(3_000, amplitude: 0.9, period: 31)
    let file = SoundFile(channels: [left, right])

    let waveform = try waveform(file)

    #expect(waveform.peaks == reference(file, peakCount: 100))
    #expect(waveform.channelCount == 2)
    #expect(waveform.duration == .seconds(0.375))
  }

  @Test func `samples beyond full scale are cut, and those that are no numbers left out`() throws {
    let file = SoundFile(format: .float32, channels: [[0.5, 7, -7, .nan, .infinity, -0.5]])

    let waveform = try waveform(file, peakCount: 6)

    let expected: [(Int8, Int8)] = [(64, 64), (127, 127), (-127, -127), (0, 0), (127, 127)]
    for (peak, expected) in zip(waveform.peaks, expected) {
      #expect(peak == .init(lowest: expected.0, highest: expected.1))
    }
  }

  @Test(arguments: [1, 7, 99, 100, 101])
  func `there are not more parts than frames`(frameCount: Int) throws {
    let file = SoundFile(channels: [Self.sine(frameCount)])

    #expect(try waveform(file).peaks == reference(file, peakCount: 100))
  }

  @Test func `nothing recorded is no peak at all`() throws {
    #expect(try waveform(SoundFile(channels: [[]])).peaks.isEmpty)
  }

  @Test(arguments: DemoFile.recordings, Decoder.allCases)
  func `each format has peaks and facts`(name: String, decoder: Decoder) throws {
    let media = decoder.make()
    let input = MediaInput(try DemoFile.bytes(name))

    let waveform = try media.waveform(of: input, peakCount: 100) { false }
    let facts = try #require(try input.recognized()?.facts)

    #expect(waveform.peaks.count == 100)
    #expect(waveform.peaks.contains { $0.highest > 10 })
    let duration = try #require(facts.duration)
    #expect(abs(duration / .seconds(1) - waveform.duration / .seconds(1)) < 0.1)
  }

  @Test func `a long recording is read in pieces`() throws {
    let file = SoundFile(channels: [Self.sine(2_000_000, period: 1_000)])
    let bytes = file.wav
    let largest = Lock(0)
    let input = MediaInput(byteCount: Int64(bytes.count)) { buffer, offset in
      largest.withLock { $0 = max($0, buffer.count) }
      return bytes.dropFirst(Int(offset)).prefix(buffer.count).copyBytes(to: buffer)
    }

    let waveform = try LibraryMedia().waveform(of: input, peakCount: 1_600) { false }

    #expect(waveform.peaks == reference(file, peakCount: 1_600))
    #expect(largest.withLock { $0 } <= 1 << 18)
  }

  @Test func `what cannot be read fails as that`() throws {
    struct Fault: Error {}
    let bytes = SoundFile(channels: [Self.sine(400_000)]).wav
    let input = MediaInput(byteCount: Int64(bytes.count)) { buffer, offset in
      guard offset < 300_000 || buffer.count < 4_096 else { throw Fault() }
      return bytes.dropFirst(Int(offset)).prefix(buffer.count).copyBytes(to: buffer)
    }

    for decoder in Decoder.allCases {
      let error = #expect(throws: MediaError.self) {
        try decoder.make().waveform(of: input, peakCount: 100) { false }
      }
      #expect(error?.code == .unreadable && error?.isRetryable == true)
    }
  }

  @Test func `what is kept is read again, and anything else is not`() throws {
    let waveform = try waveform(SoundFile(channels: [Self.sine(500), Self.sine(500)]))

    #expect(Waveform(bytes: waveform.bytes) == waveform)
    for bytes in [Data(), Data([1]), Data(repeating: 0, count: 216), waveform.bytes.dropLast()] {
      #expect(Waveform(bytes: bytes) == nil)
    }
  }
}
