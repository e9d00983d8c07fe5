import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct RecordingHeaderTests {
  @Test func `a recording whose recorder died before it wrote sizes has all that it recorded`()
    throws
  {
    let numbers: [[UInt8]] = [
      [1, 0, 1, 0], little(UInt32(8000)), little(UInt32(16_000)), [2, 0, 16, 0],
    ]
    let format = riffChunk("fmt ", numbers.flatMap { $0 })
    let sound = zeros(32_000)
    let junk = riffChunk("JUNK", zeros(4080))
    let empty = ascii("data") + little(UInt32(0))
    let head = { (name: String) in ascii(name) + zeros(4) + ascii("WAVE") }
    let sizes = riffChunk("ds64", zeros(28))

    for parts in [[format], [junk, format], [format, junk]] {
      let bytes = [head("RIFF"), parts.flatMap { $0 }, empty, sound].flatMap { $0 }
      #expect(try recognize(bytes)?.facts.duration == .seconds(2))
    }
    let wide = [head("RF64"), sizes, format, empty, sound].flatMap { $0 }
    #expect(try recognize(wide)?.facts.duration == .seconds(2))
    // Nothing was recorded, and a title follows.
    let list = riffChunk("LIST", ascii("INFO"))
    let none = [head("RIFF"), format, empty, list].flatMap { $0 }
    #expect(try recognize(none)?.facts.duration == .zero)

    let rate = big(UInt16(16_383 + 12)) + big(UInt64(8000) << 51)
    // Samples of twelve bits take two bytes each.
    for (channelCount, bitCount, seconds) in [(1, 16, 2), (2, 16, 1), (2, 12, 1)] {
      let aiff: [[UInt8]] = [
        ascii("FORM"), zeros(4), ascii("AIFFCOMM"), big(UInt32(18)), big(UInt16(channelCount)),
        big(UInt32(0)), big(UInt16(bitCount)), rate, ascii("SSND"), zeros(12), sound,
      ]
      #expect(try recognize(aiff.flatMap { $0 })?.facts.duration == .seconds(seconds))
    }
  }

  // A recorder that died, and one that wrote to a pipe.
  @Test(arguments: [0, .max] as [UInt32])
  func `a list behind a sound without a size is read, and is no sound`(claimed: UInt32) throws {
    let format = wavFormat(tag: 1, rate: 8000, bytesPerSecond: 16_000, bytesPerFrame: 2)
    let data = ascii("data") + little(claimed) + zeros(160_000)
    let title = riffChunk("LIST", ascii("INFO") + riffChunk("INAM", ascii("Title\0")))
    let other = riffChunk("bext", ascii("The sea") + zeros(595))

    let content = try #require(try recognize(wav(format, data + title + other)))

    #expect(content.title == "Title" && content.note == "The sea")
    #expect(content.facts.duration == .seconds(10))
    // Bytes of a sound that spell the name of a list.
    let sound = try recognize(wav(format, data + Array(title.dropLast(4)) + zeros(100)))
    #expect(sound?.title == nil && sound?.facts.duration != .seconds(10))
  }

  @Test func `the data of a WAV file is what is there, whatever its size claims`() throws {
    let format = wavFormat(tag: 1, rate: 8000, bytesPerSecond: 16_000, bytesPerFrame: 2)
    let second = MediaFacts(duration: .seconds(1), sampleRate: 8000, channelCount: 1)

    for claimed in [16_000, 16_001, 0x7FFF_F000, .max] as [UInt32] {
      let bytes = wav(format, ascii("data") + little(claimed) + zeros(16_000))

      #expect(try recognize(bytes) == RecognizedContent(type: .wav, facts: second))
    }
  }

  @Test(arguments: [0, 0x20, 0x61, 0xFF] as [UInt8])
  func `a chunk of odd size may have a byte of padding, and need not`(padding: UInt8) throws {
    let format = wavFormat(tag: 1, rate: 8000, bytesPerSecond: 16_000, bytesPerFrame: 2)
    let second = MediaFacts(duration: .seconds(1), sampleRate: 8000, channelCount: 1)
    let odd = ascii("JUNK") + little(UInt32(5)) + ascii("abcde")
    let data = ascii("data") + little(UInt32(16_000)) + zeros(16_000)

    #expect(try recognize(wav(format, odd + data))?.facts == second)
    #expect(try recognize(wav(format, odd + [padding] + data))?.facts == second)
    #expect(try recognize(wav(odd + format, data))?.facts == second)
    let title = riffChunk("LIST", ascii("INFO") + riffChunk("INAM", ascii("Title")))
    let behind = ascii("data") + little(UInt32(15_999)) + zeros(15_999)
    #expect(try recognize(wav(format, behind + title))?.title == "Title")
    #expect(try recognize(wav(format, behind + [padding] + title))?.title == "Title")
  }

  @Test(arguments: ["RF64", "BW64"])
  func `the size of a large WAV file is in a chunk of its own`(form: String) throws {
    let format = wavFormat(tag: 1, rate: 8000, bytesPerSecond: 8000, bytesPerFrame: 1)
    let sizes = riffChunk("ds64", zeros(8) + little(UInt64(4000)) + zeros(12))
    let data = ascii("data") + little(UInt32.max) + zeros(4000) + riffChunk("LIST", zeros(500))

    let facts = try recognize(wav(sizes + format, data, form: form))?.facts

    #expect(facts == MediaFacts(duration: .milliseconds(500), sampleRate: 8000, channelCount: 1))
  }

  @Test func `a compressed WAV file counts its samples, or its bytes a second`() throws {
    let format = wavFormat(tag: 0x31, rate: 8000, bytesPerSecond: 1625, bytesPerFrame: 65)
    let data = riffChunk("data", zeros(3250))
    let counted = wav(format + riffChunk("fact", little(UInt32(12_000))), data)

    #expect(try recognize(counted)?.facts.duration == .milliseconds(1500))
    #expect(try recognize(wav(format, data))?.facts.duration == .seconds(2))
  }

  @Test func `a WAV file without a sensible format is no recording`() throws {
    let data = riffChunk("data", zeros(100))
    let standing = wavFormat(tag: 1, rate: 0, bytesPerSecond: 0, bytesPerFrame: 0)

    for bytes in [wav([], data), wav(standing, data), wav(standing, []), wav([], [])] {
      #expect(try recognize(bytes) == nil)
    }
  }

  @Test func `an AIFF file counts frames, and packets when it is IMA`() throws {
    let odd = ascii("NAME") + big(UInt32(3)) + zeros(4)
    let half = MediaFacts(duration: .milliseconds(500), sampleRate: 44_100, channelCount: 1)

    #expect(try recognize(aiff("AIFF", frames: 22_050, chunks: odd))?.facts == half)
    #expect(try recognize(aiff("AIFC", frames: 22_050, compression: "NONE"))?.facts == half)
    #expect(
      try recognize(aiff("AIFC", frames: 22_050 / 64, compression: "ima4"))?.facts.duration
        == .nanoseconds(499_229_024)
    )
  }

  @Test(arguments: [0x0000, 0x7FFF, 0x8000, 0x7FFE, 0x3000] as [UInt16])
  func `an AIFF file of an absurd sample rate is no recording`(exponent: UInt16) throws {
    #expect(try recognize(aiff("AIFF", frames: 22_050, exponent: exponent)) == nil)
  }

  @Test func `an unfinished AIFF file of the widest samples lasts no time`() throws {
    let file = aiff("AIFF", frames: 0, bits: .max)

    #expect(try recognize(file)?.facts.duration == .zero)
  }

  @Test func `a CAF file counts its packets, or its bytes`() throws {
    let edits = zeros(4)
    let rest = ascii("data") + big(Int64(-1)) + edits + zeros(8000)
    let sized = ascii("data") + big(Int64(8004)) + edits + zeros(8000) + zeros(100)
    let packets = ascii("pakt") + big(Int64(24)) + big(Int64(9)) + big(Int64(8000)) + zeros(8)

    var facts = MediaFacts(duration: .milliseconds(500), sampleRate: 8000, channelCount: 1)
    #expect(try recognize(caf(bytesPerPacket: 2, framesPerPacket: 1, rest))?.facts == facts)
    #expect(try recognize(caf(bytesPerPacket: 2, framesPerPacket: 1, sized))?.facts == facts)
    facts.duration = .seconds(1)
    #expect(try recognize(caf(bytesPerPacket: 0, framesPerPacket: 1024, packets))?.facts == facts)
  }

  @Test(arguments: [-2, .min, .max] as [Int64])
  func `a CAF chunk of an absurd size ends the search`(size: Int64) throws {
    let bytes = caf(bytesPerPacket: 0, framesPerPacket: 0, ascii("free") + big(size) + zeros(99))

    let facts = MediaFacts(sampleRate: 8000, channelCount: 1)
    #expect(try recognize(bytes) == RecognizedContent(type: .caf, facts: facts))
  }

  @Test func `a FLAC stream may be behind tags and may not know its length`() throws {
    let tags = id3(byteCount: 5000) + id3(byteCount: 100)
    var facts = MediaFacts(duration: .milliseconds(500), sampleRate: 48_000, channelCount: 2)

    #expect(
      try recognize(tags + flac(samples: 24_000)) == RecognizedContent(type: .flac, facts: facts)
    )
    facts.duration = nil
    #expect(try recognize(flac(samples: 0)) == RecognizedContent(type: .flac, facts: facts))
  }

  @Test func `an Ogg recording may have a skeleton beside it`() throws {
    let bytes =
      oggPage(serial: 9, isFirst: true, ascii("fishead\0") + zeros(56))
      + oggPage(serial: 1, isFirst: true, opusHead(skipping: 312))
      + oggPage(serial: 1, position: 48_312, zeros(200))

    let content = try recognize(bytes)

    let facts = MediaFacts(duration: .seconds(1), sampleRate: 48_000, channelCount: 1)
    #expect(content == RecognizedContent(type: .ogg, facts: facts))
  }

  @Test func `pages on which no packet ends do not tell where a recording ends`() throws {
    let bytes =
      oggPage(serial: 1, isFirst: true, opusHead(skipping: 0))
      + oggPage(serial: 1, position: 24_000, zeros(200))
      + oggPage(serial: 1, position: -1, zeros(100))

    #expect(try recognize(bytes)?.facts.duration == .milliseconds(500))
  }

  @Test func `recordings one after another in an Ogg file have no known length`() throws {
    let bytes =
      oggPage(serial: 1, isFirst: true, opusHead(skipping: 0))
      + oggPage(serial: 1, position: 24_000, zeros(200))
      + oggPage(serial: 2, isFirst: true, opusHead(skipping: 0))
      + oggPage(serial: 2, position: 24_000, zeros(200))

    let facts = MediaFacts(sampleRate: 48_000, channelCount: 1)
    #expect(try recognize(bytes) == RecognizedContent(type: .ogg, facts: facts))
  }

  @Test func `an Ogg file with anything but sound is no recording`() throws {
    let sound = oggPage(serial: 1, isFirst: true, opusHead(skipping: 0))
    let video = oggPage(serial: 2, isFirst: true, ascii("\u{80}theora") + zeros(40))

    #expect(try recognize(sound + video) == nil)
    #expect(try recognize(video + sound) == nil)
    #expect(try recognize(oggPage(serial: 1, isFirst: true, [])) == nil)
  }
}

private func wav(_ format: [UInt8], _ data: [UInt8], form: String = "RIFF") -> [UInt8] {
  ascii(form) + little(UInt32.max) + ascii("WAVE") + format + data
}

private func wavFormat(
  tag: UInt16,
  rate: UInt32,
  bytesPerSecond: UInt32,
  bytesPerFrame: UInt16
) -> [UInt8] {
  let rates = little(rate) + little(bytesPerSecond) + little(bytesPerFrame)
  return riffChunk("fmt ", little(tag) + little(UInt16(1)) + rates + little(UInt16(8)) + [0])
}

private func aiff(
  _ form: String,
  frames: UInt32,
  compression: String? = nil,
  exponent: UInt16 = 16_383 + 15,
  bits: UInt16 = 16,
  chunks: [UInt8] = []
) -> [UInt8] {
  // 44,100 is 1.345… times two to the power of 15.
  let rate = big(exponent) + big(UInt64(44_100) << 48)
  let common = big(UInt16(1)) + big(frames) + big(bits) + rate + ascii(compression ?? "")
  return ascii("FORM") + zeros(4) + ascii(form) + chunks + ascii("COMM")
    + big(UInt32(common.count)) + common + ascii("SSND") + big(UInt32(8)) + zeros(8)
}

private func caf(bytesPerPacket: UInt32, framesPerPacket: UInt32, _ chunks: [UInt8]) -> [UInt8] {
  let format = big((8000.0).bitPattern) + ascii("lpcm") + zeros(4) + big(bytesPerPacket)
  return ascii("caff") + [0, 1, 0, 0] + ascii("desc") + big(Int64(32)) + format
    + big(framesPerPacket) + big(UInt32(1)) + big(UInt32(16)) + chunks
}

private func flac(samples: UInt64) -> [UInt8] {
  let numbers = UInt64(48_000) << 44 | UInt64(1) << 41 | UInt64(15) << 36 | samples
  return ascii("fLaC") + [0x80, 0, 0, 34] + zeros(10) + big(numbers) + zeros(16)
}

private func id3(byteCount: Int) -> [UInt8] {
  let size = (0..<4).map { UInt8(byteCount >> (21 - $0 * 7) & 0x7F) }
  return ascii("ID3") + [3, 0, 0] + size + zeros(byteCount)
}

private func opusHead(skipping count: UInt16) -> [UInt8] {
  ascii("OpusHead") + [1, 1] + little(count) + little(UInt32(16_000)) + zeros(3)
}

private func oggPage(
  serial: UInt32,
  isFirst: Bool = false,
  position: Int64 = 0,
  _ content: [UInt8]
) -> [UInt8] {
  let head = ascii("OggS") + [0, isFirst ? 2 : 0] + little(position) + little(serial) + zeros(8)
  return head + (content.isEmpty ? [0] : [1, UInt8(content.count)]) + content
}
