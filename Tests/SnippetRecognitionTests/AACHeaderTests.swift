import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct AACHeaderTests {
  /// Frames of one stream, whose sound is noughts.
  private func frames(
    _ count: Int,
    byteCount: Int = 200,
    version: UInt8 = 0,
    rateIndex: UInt8 = 4,
    channels: UInt8 = 2,
    blockCount: UInt8 = 1
  ) -> [UInt8] {
    let head = [
      0xFF, 0xF1 | version << 3, 1 << 6 | rateIndex << 2 | channels >> 2,
      channels << 6 | UInt8(byteCount >> 11), UInt8(byteCount >> 3 & 0xFF),
      UInt8(byteCount & 7) << 5 | 0x1F, 0xFC | (blockCount - 1),
    ]
    return (0..<count).flatMap { _ in head + zeros(byteCount - 7) }
  }

  private func duration(_ samples: Int, _ sampleRate: Int) -> Duration {
    .nanoseconds(samples * 1_000_000_000 / sampleRate)
  }

  @Test(arguments: [(UInt8(3), 48_000), (4, 44_100), (8, 16_000), (12, 7350)])
  func `frames are counted`(rateIndex: UInt8, sampleRate: Int) throws {
    for version: UInt8 in [0, 1] {
      let content = try recognize(frames(40, version: version, rateIndex: rateIndex, channels: 1))

      #expect(
        content
          == RecognizedContent(
            type: .aac,
            facts: MediaFacts(
              duration: duration(40 * 1024, sampleRate),
              sampleRate: sampleRate,
              channelCount: 1
            )
          )
      )
    }
  }

  @Test func `a frame may hold several blocks`() throws {
    let content = try recognize(frames(10, blockCount: 4))

    #expect(content?.facts.duration == duration(40 * 1024, 44_100))
  }

  @Test func `frames of all sizes are counted, and the last may be cut short`() throws {
    let bytes = frames(5) + frames(7, byteCount: 90) + frames(3, byteCount: 7000)

    #expect(try recognize(bytes)?.facts.duration == duration(15 * 1024, 44_100))
    let cut = Array(bytes.dropLast(100))
    #expect(try recognize(cut)?.facts.duration == duration(15 * 1024, 44_100))
  }

  @Test func `a long recording is told by its size if its rate is steady`() throws {
    let (small, large) = (frames(1, byteCount: 360), frames(1, byteCount: 380))
    let steady = (0..<12_000).flatMap { $0 % 2 == 0 ? small : large }
    let unsteady = frames(1_000, byteCount: 100) + steady

    let found = try #require(try recognize(steady)?.facts.duration)
    #expect(abs(found / duration(12_000 * 1024, 44_100) - 1) < 0.01)
    let facts = try recognize(unsteady)?.facts
    #expect(facts == MediaFacts(sampleRate: 44_100, channelCount: 2))
  }

  @Test func `the title is that of a tag before the frames`() throws {
    let title = [3] + ascii("Memo")
    let frame = ascii("TIT2") + big(UInt32(title.count)) + zeros(2) + title
    let tag = ascii("ID3") + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame

    let content = try recognize(tag + frames(5))

    #expect(content?.type == .aac && content?.title == "Memo")
    #expect(content?.facts.duration == duration(5 * 1024, 44_100))
  }

  @Test func `the note is the comment of a tag before the frames`() throws {
    let comment = [3] + ascii("eng\0The sea")
    let frame = ascii("COMM") + big(UInt32(comment.count)) + zeros(2) + comment
    let tag = ascii("ID3") + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame

    #expect(try recognize(tag + frames(5))?.note == "The sea")
  }

  @Test func `a long recording has its title, even one behind other words in the tag`() throws {
    func text(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      ascii(name) + [0, 0, UInt8(bytes.count >> 7), UInt8(bytes.count & 0x7F), 0, 0] + bytes
    }
    let words = text("TCOM", [3] + ascii(String(repeating: "x", count: 4000)))
    let content = words + text("TIT2", [3] + ascii("Memo"))
    let size = [0, 0, UInt8(content.count >> 7), UInt8(content.count & 0x7F)]
    let tag = ascii("ID3") + [4, 0, 0] + size + content

    let recognized = try recognize(tag + frames(700, byteCount: 4000))

    #expect(recognized?.title == "Memo")
    #expect(recognized?.facts.duration != nil)
  }

  @Test func `a recording may begin within a frame whose beginning is missing`() throws {
    let content = try recognize(Array(frames(6).dropFirst(50)))

    #expect(content?.type == .aac && content?.isIrregular == true)
    #expect(content?.facts.duration == duration(5 * 1024, 44_100))
    // Too few to be certain.
    #expect(try recognize(Array(frames(4).dropFirst(50))) == nil)
    #expect(try recognize(zeros(20_000) + frames(6)) == nil)
  }

  @Test func `what looks like one frame and goes on otherwise is none`() throws {
    #expect(try recognize(frames(1))?.type == .aac)
    #expect(try recognize(frames(1) + zeros(300)) == nil)
    #expect(try recognize(frames(2) + ascii("and so on and on")) == nil)
    #expect(try recognize(frames(1) + frames(2, rateIndex: 5)) == nil)
    #expect(try recognize(frames(3, rateIndex: 13)) == nil)
    #expect(try recognize(frames(3, channels: 0)) == nil)
    #expect(try recognize([0xFF, 0xF1, 0x50, 0x80, 0, 0, 0]) == nil)
  }
}
