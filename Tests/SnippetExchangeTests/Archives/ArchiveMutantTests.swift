import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Archives in which bytes were flipped, or which end early.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct ArchiveMutantTests {
  private static let archive = SampleArchive([
    .init("a/list.md", "Milk"), .init("a/b/pan.png", Samples.png), .init("../out.md", "out"),
    .init("way", "/tmp", type: "2"), .init("way/in.md", "in"),
  ])

  @Test(arguments: SampleArchive.Format.allCases)
  func `a damaged archive unpacks to a part of itself, and what is missing is named`(
    format: SampleArchive.Format
  ) throws {
    var generator = SeededGenerator()
    let whole = [UInt8](Self.archive.bytes(format))
    let url = TemporaryDirectory.file("mutant")
    for _ in 0..<(LongTests.isOn ? 2_000 : 100) {
      var bytes = whole
      if generator.below(3) == 0 {
        bytes.removeLast(generator.below(bytes.count))
      } else {
        for _ in 0...generator.below(4) {
          bytes[generator.below(bytes.count)] ^= 1 << UInt8(generator.below(8))
        }
      }
      try Data(bytes).write(to: url)

      let limits = ArchiveUnpacking.Limits(memberCount: 100, ratio: 10, freeByteCount: 1 << 20)
      var roots = try ImportRoots(unpacking: [url], limits: limits) {}
      defer { roots.remove() }

      let root = roots.all[0]
      #expect(root.isComplete || !root.entries.isEmpty, "\(Data(bytes).base64EncodedString())")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: TemporaryDirectory.current.url.path
      )
      #expect(names == ["mutant"], "\(Data(bytes).base64EncodedString())")
    }
  }
}
