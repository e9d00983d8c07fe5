import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// Damages every fixture at random: nothing may trap, and no more may be read than a header needs.
@Suite(.seeded) struct ContentFuzzTests {
  @Test(arguments: RealFile.all)
  func `a damaged media file is recognized or not, within bounds`(file: RealFile) throws {
    try fuzz(file.bytes, count: 1000)
  }

  @Test(arguments: TitledFile.all)
  func `a damaged file with a title is recognized or not, within bounds`(file: TitledFile) throws {
    try fuzz(file.bytes(Array("Grüße, 牛乳".utf8)), count: 500)
  }

  @Test(arguments: Stranger.all.filter { (1...1000).contains($0.bytes.count) })
  func `damaged bytes of anything else are recognized or not`(stranger: Stranger) throws {
    try fuzz(stranger.bytes, count: 200)
  }

  @Test(arguments: ReencodedText.all)
  func `a damaged text decodes in whatever encoding it is told to be`(text: ReencodedText) throws {
    try fuzz(text.bytes, count: 40)
  }

  private func fuzz(_ bytes: [UInt8], count: Int) throws {
    var generator = SeededGenerator()
    for _ in 0..<(LongTests.isOn ? count * 1000 : count) {
      let damaged = damage(bytes, &generator)
      let source = CountingSource(damaged)
      let content = try ContentRecognizer.recognize(source)
      let facts = content?.facts

      // Headers first; then a text is read once or twice more.
      let limit = HeaderReader.maximumByteCount + 3 * damaged.count
      #expect(source.readByteCount <= limit)
      #expect(content?.type.kind == .text || content?.encoding == nil)
      for size in [facts?.pixelWidth, facts?.pixelHeight].compactMap({ $0 }) {
        #expect((1...0x7FFF_FFFF).contains(size))
      }
      #expect(facts?.duration.map { $0 >= .zero } ?? true)
      let title = content?.title ?? "-"
      #expect((1...EmbeddedTitle.maximumLength).contains(title.count))
      #expect(!title.unicodeScalars.contains { $0.properties.generalCategory == .control })
      let sampleRate = facts?.sampleRate ?? 1
      #expect((1...10_000_000).contains(sampleRate))
      #expect((1...1024).contains(facts?.channelCount ?? 1))
      if let encoding = content?.encoding {
        let preview = TextPreview(of: encoding.decode(damaged))
        #expect(preview.preview.count <= TextPreview.maximumLength)
        #expect(preview.title.count <= TextPreview.maximumTitleLength)
      }
    }
  }

  private func damage(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      guard !bytes.isEmpty else { break }
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[index] = .random(in: 0...255, using: &generator)
      case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2: bytes.removeLast(bytes.count - index)
      case 3: bytes.removeSubrange(index..<min(bytes.count, index + 4))
      case 4: bytes.insert(contentsOf: bytes[index...].prefix(16), at: index)
      default: writeExtreme(in: &bytes, at: index, &generator)
      }
    }
    return bytes
  }

  /// Writes a number near a limit of its width: sizes and counts like these are what headers go
  /// wrong with, most of all near the beginning.
  private func writeExtreme(
    in bytes: inout [UInt8],
    at index: Int,
    _ generator: inout SeededGenerator
  ) {
    let index = generator.chance(0.5) ? index : index % 128
    let width = generator.element(of: [1, 2, 4, 8])
    let limit = generator.element(of: [0, 1 << (width * 8 - 1)] as [UInt64])
    let number = limit &+ UInt64(generator.below(10)) &- 8
    let isBigEndian = generator.chance(0.5)
    for place in 0..<min(width, bytes.count - index) {
      let shift = (isBigEndian ? width - 1 - place : place) * 8
      bytes[index + place] = UInt8(truncatingIfNeeded: number >> UInt64(shift))
    }
  }
}
