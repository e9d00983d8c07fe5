import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetMedia

/// The files of the corpus, harmed in every way: none costs more than its worker.
@Suite(
  .enabled(if: MediaTools.areExpected, MediaTools.reason),
  .seeded,
  .temporaryDirectory,
  .timeLimit(.minutes(60))
)
struct MutantTests {
  @Test func `mutants of every file end in time, within their memory, and are told as failures`()
    async throws
  {
    let folder = TemporaryDirectory.current.url
    var files: [Data] = []
    for sound in CorpusSound.all { files.append(try await sound.bytes) }
    for image in CorpusImage.all { files.append(try await image.bytes) }
    let corpus = folder.appendingPathComponent("corpus.plist")
    try PropertyListEncoder().encode(files).write(to: corpus)

    // In a process of its own, whose memory no other test takes.
    let process = await #expect(
      processExitsWith: .success,
      observing: [\.standardOutputContent]
    ) {
      [
        corpus = corpus as URL, count = (LongTests.isOn ? 2_000 : 40) as Int,
        seed = SeededGenerator.runSeed as UInt64
      ] in
      let files = try PropertyListDecoder().decode([Data].self, from: Data(contentsOf: corpus))
      var generator = SeededGenerator(seed: seed)
      print(try MutantTests().run(count, of: files, &generator))
    }
    print(String(decoding: process?.standardOutputContent ?? [], as: UTF8.self))
  }

  /// Decodes mutants.
  ///
  /// - Returns: What came of them.
  private func run(
    _ count: Int,
    of files: [Data],
    _ generator: inout SeededGenerator
  ) throws -> String {
    let limits = MediaLimits(timeLimit: .seconds(20), maximumMemoryByteCount: 512 << 20)
    let media = Decoder.workers(limits: limits)
    var counts: [String: Int] = [:]
    var longest = Duration.zero
    let memory = PeakMemory.byteCount ?? 0
    // Few mutants are of other files in each run.
    let first = generator.below(files.count)

    for number in 0..<count {
      let mutant = mutant(of: files[(first + number) % files.count], &generator)
      let time = ContinuousClock().measure {
        for code in outcomes(mutant, media) { counts[code, default: 0] += 1 }
      }
      longest = max(longest, time)
    }

    #expect(counts["done", default: 0] > 0 && counts["undecodable", default: 0] > 0)
    #expect(counts["workerUnavailable"] == nil && counts["unreadable"] == nil)
    // A fault in a decoder ends its worker, and nothing else; so many would be a fault of ours.
    #expect(counts["crashed", default: 0] <= max(2, count / 100))
    // The two makers, each within its limit.
    #expect(longest < .seconds(45))
    let held = (PeakMemory.byteCount ?? 0) - memory
    if PeakMemory.isMeaningful {
      #expect(held < 16 << 20, "this process held \(held) bytes more")
    }
    return """
      \(count) mutants of \(files.count) files: \(counts.sorted { $0.key < $1.key }), at most \
      \(longest), \(held >> 20) MB
      """
  }

  private func outcomes(_ bytes: Data, _ media: WorkerMedia) -> [String] {
    let input = MediaInput(bytes)
    return [
      outcome {
        let thumbnail = try media.thumbnail(of: input, as: .init(maximumPixelSize: 128)) { false }
        #expect(max(thumbnail.pixelWidth, thumbnail.pixelHeight) <= 128)
      },
      outcome {
        let waveform = try media.waveform(of: input, peakCount: 100) { false }
        #expect(waveform.peaks.count <= 100)
        #expect(waveform.peaks.allSatisfy { $0.lowest <= $0.highest })
      },
    ]
  }

  private func outcome(_ work: () throws -> Void) -> String {
    do {
      try work()
      return "done"
    } catch {
      guard let error = error as? MediaError else {
        Issue.record("\(error)")
        return "other"
      }
      return error.code.description
    }
  }

  /// Flips bits, cuts, and overwrites what may be a length, most of all where headers are.
  private func mutant(of original: Data, _ generator: inout SeededGenerator) -> Data {
    var bytes = [UInt8](original)
    for _ in 0..<(1 + generator.below(6)) {
      guard bytes.count > 32 else { break }
      let reach = generator.chance(0.5) ? min(1_024, bytes.count) : bytes.count
      // Some formats have their index at the end.
      let place =
        generator.chance(0.25)
        ? bytes.count - 1 - generator.below(min(2_048, bytes.count))
        : generator.below(reach)
      switch generator.below(5) {
      case 0: bytes[place] ^= 1 << UInt8(generator.below(8))
      case 1: bytes[place] = UInt8(generator.below(256))
      case 2 where generator.chance(0.3):
        bytes.removeLast(min(bytes.count - place, bytes.count - 32))
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + generator.below(16)))
      default:
        let lengths: [UInt32] = [0, 1, 7, 0x7FFF_FFFF, 0x8000_0000, .max, UInt32(bytes.count)]
        let length = lengths[generator.below(lengths.count)]
        let number = generator.chance(0.5) ? length.bigEndianBytes : length.littleEndianBytes
        for (index, byte) in number.enumerated() where place + index < bytes.count {
          bytes[place + index] = byte
        }
      }
    }
    return Data(bytes)
  }
}
