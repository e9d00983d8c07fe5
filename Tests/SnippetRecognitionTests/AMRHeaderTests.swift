import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct AMRHeaderTests {
  private func facts(_ duration: Duration?, _ sampleRate: Int) -> MediaFacts {
    MediaFacts(duration: duration, sampleRate: sampleRate, channelCount: 1)
  }

  /// Frames of one kind, whose heads are followed by noughts.
  private func frames(_ kind: UInt8, _ byteCount: Int, _ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in [kind << 3 | 4] + zeros(byteCount - 1) }
  }

  @Test func `frames of 20 milliseconds are counted, of whatever kinds`() throws {
    let narrow = ascii("#!AMR\n") + frames(7, 32, 30) + frames(8, 6, 5) + frames(15, 1, 15)
    let wide = ascii("#!AMR-WB\n") + frames(8, 61, 20) + frames(9, 6, 5)

    #expect(
      try recognize(narrow) == RecognizedContent(type: .amr, facts: facts(.seconds(1), 8000))
    )
    #expect(try recognize(wide)?.facts == facts(.milliseconds(500), 16_000))
  }

  @Test func `a long recording is told by its size if all its frames are alike`() throws {
    let frame = frames(7, 32, 1)
    let head = ascii("#!AMR\n")
    let hour = head + (0..<180_000).flatMap { _ in frame }
    let paused = head + frames(15, 1, 1) + hour[head.count...]

    #expect(try recognize(hour)?.facts == facts(.seconds(3600), 8000))
    #expect(try recognize(paused)?.facts == facts(nil, 8000))
  }

  @Test(arguments: [[], [0x3C], [0x3C, 1, 2], [0xFF] + zeros(100), [0x4C] + zeros(100)])
  func `a mark without a whole frame behind it is no recording`(rest: [UInt8]) throws {
    #expect(try recognize(ascii("#!AMR\n") + rest) == nil)
  }

  @Test func `the last frame may be cut short`() throws {
    let bytes = ascii("#!AMR\n") + frames(7, 32, 50) + [0x3C, 1, 2, 3]

    #expect(try recognize(bytes)?.facts == facts(.seconds(1), 8000))
  }
}
