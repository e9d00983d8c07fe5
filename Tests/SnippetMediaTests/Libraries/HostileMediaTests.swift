import Foundation
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import Testing

/// Files made to harm, or harmed: each gives a result or a typed failure, in time, and the caller
/// lives on.
@Suite(
  .enabled(if: MediaSupport.current.decodesImages && MediaSupport.current.decodesRecordings),
  .seeded,
  .timeLimit(.minutes(30))
)
struct HostileMediaTests {
  /// What becomes of some bytes, by each of the two.
  private func outcomes(_ bytes: Data, _ media: any MediaMaking) -> [MediaError.Code?] {
    let input = MediaInput(bytes)
    return [
      code { _ = try media.thumbnail(of: input, as: .init(maximumPixelSize: 128)) { false } },
      code { _ = try media.waveform(of: input, peakCount: 100) { false } },
    ]
  }

  private func code(_ work: () throws -> Void) -> MediaError.Code? {
    do {
      try work()
      return nil
    } catch {
      guard let error = error as? MediaError else {
        Issue.record("\(error)")
        return nil
      }
      #expect(!error.description.isEmpty && error.description.utf8.count < 1_000)
      return error.code
    }
  }

  @Test func `damaged files of every format cost a failure at most, in a worker`() throws {
    let media = Decoder.workers(limits: MediaLimits(timeLimit: .seconds(20)))
    let files = try DemoFile.ofEveryFormat()
    var generator = SeededGenerator()
    let count = LongTests.isOn ? 2_000 : 60
    // Few damaged files are of other formats in each run.
    let first = generator.below(files.count)
    var counts: [String: Int] = [:]
    let clock = ContinuousClock()
    var longest = Duration.zero

    for number in 0..<count {
      let bytes = damaged(files[(first + number) % files.count], &generator)
      var codes: [MediaError.Code?] = []
      longest = max(longest, clock.measure { codes = outcomes(bytes, media) })
      for code in codes { counts[code?.description ?? "done", default: 0] += 1 }
    }

    for file in files {
      #expect(
        outcomes(file, media).compactMap { $0 }.count == 1,
        "one of the two makers is not for it"
      )
    }
    #expect(counts["done", default: 0] > 0)
    #expect(counts["undecodable", default: 0] > 0)
    #expect(counts["workerUnavailable"] == nil)
    // Three of them, each within its limit.
    #expect(longest < .seconds(65))
    print("\(count) damaged files: \(counts.sorted { $0.key < $1.key }), at most \(longest)")
  }

  private func damaged(_ original: Data, _ generator: inout SeededGenerator) -> Data {
    var bytes = [UInt8](original)
    for _ in 0..<(1 + generator.below(8)) {
      guard bytes.count > 16 else { break }
      // Headers are where most goes wrong.
      let place =
        generator.chance(0.5)
        ? generator.below(min(512, bytes.count))
        : generator.below(bytes.count)
      switch generator.below(6) {
      case 0: bytes[place] = UInt8(generator.below(256))
      case 1: bytes[place] ^= 1 << UInt8(generator.below(8))
      case 2: bytes.removeLast(min(bytes.count - place, bytes.count - 16))
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + generator.below(64)))
      case 4: bytes.insert(contentsOf: bytes[place...].prefix(32), at: place)
      default:
        for index in place..<min(bytes.count, place + 4) { bytes[index] = 0xFF }
      }
    }
    return Data(bytes)
  }

  @Test(arguments: DemoFile.images + DemoFile.recordings, Decoder.allCases)
  func `a file cut short fails, or shows what is there`(name: String, decoder: Decoder) throws {
    let bytes = try DemoFile.bytes(name)
    let media = decoder.make()

    for part in [1, 4, 12, 20, 64, bytes.count / 2, bytes.count * 9 / 10] {
      for code in outcomes(bytes.prefix(part), media) {
        #expect(code == nil || code == .undecodable, "\(part) bytes")
      }
    }
    // As in viewers and browsers: the upper half, and the first picture of a GIF that moves.
    if [".jpg", ".png", ".gif", ".bmp"].contains(where: name.hasSuffix) {
      #expect(outcomes(bytes.prefix(bytes.count / 2), media)[0] == nil)
      #expect(outcomes(bytes.dropLast(2), media)[0] == nil)
    }
  }

  @Test(arguments: Decoder.allCases)
  func `nothing, and what is no media, fails`(decoder: Decoder) throws {
    let media = decoder.make()

    for bytes in [Data(), Data("hello".utf8), Samples.bytes(5_000), Data(count: 5_000)] {
      #expect(outcomes(bytes, media) == [.undecodable, .undecodable])
    }
    #expect(outcomes(try DemoFile.bytes("mountain-lake.jpg"), media)[1] == .undecodable)
    #expect(outcomes(try DemoFile.bytes("bird-chirp.mp3"), media)[0] == .undecodable)
  }

  @Test(arguments: Decoder.allCases)
  func `a picture that claims too many pixels is refused before it is decoded`(
    decoder: Decoder
  ) throws {
    var bomb = Pixels(width: 4, height: 4) { _, _ in [1, 2, 3, 255] }.png
    let header =
      UInt32(30_000).bigEndianBytes + UInt32(30_000).bigEndianBytes + [8, 6, 0, 0, 0]
    bomb.replaceSubrange(8..<33, with: Pixels.chunk("IHDR", header))

    let codes = outcomes(bomb, decoder.make())

    #expect(codes == [.tooLarge, .undecodable])
  }

  @Test func `an image of more bytes than allowed is not read`() throws {
    let input = MediaInput(byteCount: 1 << 40) { buffer, offset in
      try DemoFile.bytes("mountain-lake.jpg").dropFirst(Int(offset)).prefix(buffer.count)
        .copyBytes(to: buffer)
    }

    for decoder in Decoder.allCases {
      let error = #expect(throws: MediaError.self) {
        try decoder.make().thumbnail(of: input, as: .init(maximumPixelSize: 64)) { false }
      }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test func `a picture that takes more memory than allowed costs its worker only`() throws {
    // Not known before it is decoded: WebP is held in memory whole.
    let limits = MediaLimits(maximumMemoryByteCount: 1 << 20)
    let media = Decoder.workers(limits: limits)
    let large = Pixels(width: 700, height: 700) { x, y in
      [UInt8(truncatingIfNeeded: x), UInt8(truncatingIfNeeded: y), 7, UInt8(truncatingIfNeeded: x)]
    }
    let request = ThumbnailRequest(maximumPixelSize: 700, isEncoded: true)
    let webP = try LibraryMedia().thumbnail(of: MediaInput(large.png), as: request) { false }

    let error = #expect(throws: MediaError.self) {
      try media.thumbnail(of: MediaInput(webP.bytes), as: .init(maximumPixelSize: 64)) { false }
    }

    #expect(webP.form == .webP)
    #expect(error.map { [.crashed, .undecodable].contains($0.code) } == true, "\(error as Any)")
  }

  @Test(arguments: Decoder.allCases)
  func `what no library here decodes is told by name`(decoder: Decoder) throws {
    let media = decoder.make()

    let error = #expect(throws: MediaError.self) {
      try media.waveform(of: MediaInput(UndecodedRecording.wav), peakCount: 100) { false }
    }

    #expect(error?.code == .noDecoder)
    #expect(error?.reason == "there is no decoder for audio/wav here")
    #expect(error?.description.contains("snip doctor") == true)
  }

  @Test func `samples of formats that a store does not know are not decoded at all`() throws {
    // Both are opened by the libraries, which are closed to them.
    let svg = Data("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>".utf8)
    let au =
      Data(".snd".utf8) + Data([0, 0, 0, 24, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 31, 64])
      + Data([0, 0, 0, 1]) + Data(count: 9)

    for bytes in [svg, au] {
      #expect(outcomes(bytes, LibraryMedia()) == [.undecodable, .undecodable])
    }
  }
}
