import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct MP3HeaderTests {
  @Test func `a constant bit rate tells the length from the size`() throws {
    let frames = (0..<100).flatMap { _ in frame() }
    let expected = MediaFacts(
      duration: .nanoseconds(frames.count * 8 * 1_000_000_000 / 128_000),
      sampleRate: 44_100,
      channelCount: 2
    )

    #expect(try recognize(frames)?.facts == expected)
    #expect(try recognize(frames + ascii("TAG") + zeros(125))?.facts == expected)
    #expect(try recognize(tag(byteCount: 70_000) + frames)?.facts == expected)
  }

  @Test(arguments: ["Xing", "Info"])
  func `the encoder's count of frames tells the length`(name: String) throws {
    let first = frame(at: 36, ascii(name) + big(UInt32(1)) + big(UInt32(4410)))

    let content = try recognize(first + frame())

    #expect(content?.facts.duration == .microseconds(115_200_000))
  }

  @Test func `a count of zero frames is none`() throws {
    let frames = frame(at: 36, ascii("Xing") + big(UInt32(1)) + big(UInt32(0))) + frame()

    let duration = try recognize(frames)?.facts.duration

    #expect(duration == .nanoseconds(frames.count * 8 * 1_000_000_000 / 128_000))
  }

  @Test func `the count of frames may be in a tag of another encoder`() throws {
    let first = frame(at: 36, ascii("VBRI") + zeros(10) + big(UInt32(4410)))

    #expect(try recognize(first + frame())?.facts.duration == .microseconds(115_200_000))
  }

  @Test func `a changing bit rate without a count tells no length`() throws {
    let frames = frame() + frame(bitRateIndex: 5, byteCount: 208) + frame()

    let facts = MediaFacts(sampleRate: 44_100, channelCount: 2)
    #expect(try recognize(frames) == RecognizedContent(type: .mp3, facts: facts))
  }

  @Test func `a frame may begin behind the padding of a tag`() throws {
    #expect(try recognize(tag(byteCount: 10) + zeros(500) + frame() + frame())?.type == .mp3)
    #expect(try recognize(tag(byteCount: 10) + zeros(40_000) + frame() + frame()) == nil)
    #expect(try recognize(zeros(1) + frame() + frame()) == nil)
  }

  @Test func `one frame counts when nothing else is there`() throws {
    #expect(try recognize(frame())?.type == .mp3)
    #expect(try recognize(frame() + ascii("TAG") + zeros(125))?.type == .mp3)
    #expect(try recognize(frame() + [0xFF, 0xFB, 0xF0, 0x00] + zeros(500)) == nil)
    #expect(try recognize(frame() + zeros(500)) == nil)
  }

  private static let junk: [[UInt8]] = [
    [UInt8](repeating: 0xFF, count: 8), ascii("ICY 200 OK\r\nicy-name:x\r\n\r\n"), zeros(300),
    // The end of a frame whose beginning is missing, in which another seems to begin.
    [[1, 2, 3, 0xFF, 0xFB, 0x90, 0x00], zeros(100)].flatMap { $0 }, ascii("APETAGEX") + zeros(900),
  ]

  @Test(arguments: junk)
  func `a recording may begin behind other bytes, if it is long enough to be certain`(
    junk: [UInt8]
  ) throws {
    let frames = (0..<10).flatMap { _ in frame() }
    let content = try recognize(junk + frames)

    #expect(content?.type == .mp3)
    #expect(content?.facts.duration == (try recognize(frames)?.facts.duration))
    #expect(try recognize(junk + frames.dropLast(20))?.type == .mp3)
    #expect(try recognize(junk + zeros(20_000) + frames) == nil)
    for container in [ascii("PK\u{3}\u{4}"), box("ftyp", ascii("mp42"))] {
      #expect(try recognize(container + junk + frames) == nil)
    }
  }

  @Test func `frames of two kinds are no recording`() throws {
    var other = frame()
    // 48,000 samples a second.
    other[2] = 0x94

    #expect(try recognize(frame() + other) == nil)
  }

  @Test(arguments: [
    0xFFEB_9000,  // a reserved version
    0xFFF9_9000,  // no layer
    0xFFFD_9000,  // layer II
    0xFFFF_9000,  // layer I
    0xFFFB_0000,  // an open bit rate
    0xFFFB_F000,  // no bit rate
    0xFFFB_9C00,  // a reserved sample rate
    0xFFFB_9002,  // a reserved emphasis
    0xFFDB_9000,  // no synchronization
  ])
  func `what is no head of layer III is no frame`(bits: UInt32) {
    #expect(MPEGFrame(bits) == nil)
  }

  @Test(arguments: [
    (0xFFFB_9000, 417, 1152, 44_100, 32), (0xFFFB_92C0, 418, 1152, 44_100, 17),
    (0xFFF3_8000, 208, 576, 22_050, 17), (0xFFE3_18C0, 72, 576, 8000, 9),
    (0xFFFB_E400, 960, 1152, 48_000, 32), (0xFFFB_1800, 144, 1152, 32_000, 32),
  ])
  func `the head of a frame tells its size, its rate and its channels`(
    bits: UInt32,
    byteCount: Int64,
    samples: Int,
    rate: Int,
    sideInformation: Int64
  ) throws {
    let frame = try #require(MPEGFrame(bits))

    #expect(frame.byteCount == byteCount)
    #expect(frame.samplesPerFrame == samples)
    #expect(frame.sampleRate == rate)
    #expect(frame.sideInformationByteCount == sideInformation)
    #expect(frame.channelCount == (bits & 0xC0 == 0xC0 ? 1 : 2))
  }
}

/// A frame of 128,000 bits a second unless said otherwise, at 44,100 samples a second, in stereo.
private func frame(
  bitRateIndex: UInt8 = 9,
  byteCount: Int = 417,
  at offset: Int = 4,
  _ content: [UInt8] = []
) -> [UInt8] {
  let start = [0xFF, 0xFB, bitRateIndex << 4, 0] + zeros(offset - 4) + content
  return start + zeros(byteCount - start.count)
}

private func tag(byteCount: Int) -> [UInt8] {
  let size = (0..<4).map { UInt8(byteCount >> (21 - $0 * 7) & 0x7F) }
  return ascii("ID3") + [4, 0, 0] + size + zeros(byteCount)
}
