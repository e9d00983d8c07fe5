import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// The sample rates and channels that headers tell.
struct SoundFormatTests {
  @Test(arguments: [
    (1 as UInt8, 4 as UInt64, 44_100 as UInt32, 2 as UInt32), (1, 8, 16_000, 1), (1, 0, 96_000, 6),
  ])
  func `the settings of an AAC decoder go before the entry of its track`(
    type: UInt8,
    rateIndex: UInt64,
    sampleRate: UInt32,
    channelCount: UInt32
  ) throws {
    let settings = aac(type: type, rateIndex: rateIndex, channels: UInt8(channelCount))
    let bytes = m4a(entry("mp4a", sampleRate: 8000, channels: 2, esds(settings)))

    let facts = try recognize(bytes)?.facts

    #expect(facts == heard(sampleRate, channelCount))
  }

  @Test func `what an AAC decoder makes anew counts as heard`() throws {
    // The rate that was coded, the number of coded channels, the rate that is heard.
    let replicated = AACSettings([0x2B, 0x92, 0x08])
    let fromMono = AACSettings([0xEB, 0x09, 0x88])

    #expect(replicated?.sampleRate == 44_100 && replicated?.channelCount == 2)
    #expect(fromMono?.sampleRate == 48_000 && fromMono?.channelCount == 2)
  }

  @Test func `an AAC decoder may be told any rate`() throws {
    let rate: UInt64 = 12_345
    // Five bits of type, four that are all set, 24 of rate, four of channels.
    let number: UInt64 = (2 << 59) | (15 << 55) | (rate << 31) | (1 << 27)

    let settings = AACSettings(Array(big(number)))

    #expect(settings?.sampleRate == 12_345 && settings?.channelCount == 1)
    #expect(AACSettings([]) == nil)
    #expect(AACSettings([0x17, 0xFF]) == nil)
    #expect(AACSettings([0b0001_0110, 0b1000_1000]) == nil, "a reserved rate")
  }

  @Test(arguments: [[], [3], [3, 0x80, 0x80, 0x80, 0x80], [4, 25, 0, 0, 0], [3, 25, 0, 0, 0xE0]])
  func `settings that cannot be read leave the entry's word`(descriptor: [UInt8]) throws {
    let bytes = m4a(
      entry("mp4a", sampleRate: 22_050, channels: 1, box("esds", zeros(4), descriptor))
    )

    #expect(try recognize(bytes)?.facts == heard(22_050, 1))
  }

  @Test func `other codecs tell in boxes of their own`() throws {
    let lossless = box(
      "alac",
      zeros(4),
      zeros(9) + [6] + zeros(10) + big(UInt32(192_000))
    )
    let opus = box("dOps", [0, 1], zeros(9))
    let numbers = big(UInt32(96_000) << 12 | UInt32(3) << 9)
    let flac = box("dfLa", zeros(4), [0x80, 0, 0, 34], zeros(10), numbers, zeros(20))

    for (name, settings, facts) in [
      ("alac", lossless, heard(192_000, 6)), ("Opus", opus, heard(48_000, 1)),
      ("fLaC", flac, heard(96_000, 4)),
    ] {
      let bytes = m4a(entry(name, sampleRate: 0, channels: 2, settings))
      #expect(try recognize(bytes)?.facts == facts, "\(name)")
    }
  }

  @Test func `QuickTime's entries are longer, or tell in another place`() throws {
    let first = entry("alac", version: 1, sampleRate: 44_100, channels: 2, zeros(16))
    let rate = big((88_200.0).bitPattern)
    let second = entry(
      "lpcm",
      version: 2,
      sampleRate: 1,
      channels: 3,
      big(UInt32(72)) + rate + big(UInt32(8)) + zeros(20)
    )

    #expect(try recognize(m4a(first))?.facts == heard(44_100, 2))
    #expect(try recognize(m4a(second))?.facts == heard(88_200, 8))
    #expect(try recognize(m4a(entry("xxxx", version: 3, sampleRate: 1, channels: 1))) == nil)
  }

  @Test func `with absurd numbers it is no recording`() throws {
    let none = entry("lpcm", sampleRate: 0, channels: 0)
    let many = entry("lpcm", sampleRate: 8000, channels: 1025)

    #expect(try recognize(m4a(none)) == nil)
    #expect(try recognize(m4a(many)) == nil)
  }

  @Test func `every kind of Ogg stream tells its channels`() throws {
    let vorbis = ascii("\u{1}vorbis") + zeros(4) + [6] + little(UInt32(44_100)) + zeros(14)
    let numbers = big(UInt32(22_050) << 12 | UInt32(1) << 9)
    let flac =
      [0x7F] + ascii("FLAC") + [1, 0, 0, 1] + ascii("fLaC") + [0, 0, 0, 34] + zeros(10) + numbers
      + zeros(20)
    let speex =
      ascii("Speex   ") + zeros(28) + little(UInt32(16_000)) + zeros(8) + little(UInt32(2))
      + zeros(28)

    for (packet, sampleRate, channelCount) in [
      (vorbis, 44_100, 6), (flac, 22_050, 2), (speex, 16_000, 2),
    ] {
      let head = ascii("OggS") + [0, 2] + zeros(8) + little(UInt32(1)) + zeros(8)
      let page = head + [1, UInt8(packet.count)] + packet

      let facts = try recognize(page)?.facts

      #expect(facts?.sampleRate == sampleRate && facts?.channelCount == channelCount)
    }
  }

  @Test func `a header that is cut short anywhere is none`() throws {
    let whole = m4a(
      entry("mp4a", sampleRate: 8000, channels: 2, esds(aac(type: 2, rateIndex: 4, channels: 1)))
    )
    for count in whole.indices {
      #expect(try recognize(Array(whole[..<count])) == nil, "\(count) bytes")
    }
    for index in whole.indices {
      var damaged = whole
      damaged[index] = 0xFF
      _ = try recognize(damaged)
    }
  }

  private func heard(_ sampleRate: UInt32, _ channelCount: UInt32) -> MediaFacts {
    MediaFacts(
      duration: .seconds(1),
      sampleRate: Int(sampleRate),
      channelCount: Int(channelCount)
    )
  }
}

/// A recording of one second with one track.
private func m4a(_ entry: [UInt8]) -> [UInt8] {
  let table = box("stbl", box("stsd", zeros(4), big(UInt32(1)), entry))
  let media = box("mdia", box("hdlr", zeros(8), ascii("soun"), zeros(13)), box("minf", table))
  let header = box("mvhd", zeros(12), big(UInt32(1000)), big(UInt32(1000)), zeros(80))
  return box("ftyp", ascii("M4A "), zeros(4), ascii("isom"))
    + box("moov", header, box("trak", media))
}

private func entry(
  _ name: String,
  version: UInt16 = 0,
  sampleRate: UInt32,
  channels: UInt16,
  _ rest: [UInt8] = []
) -> [UInt8] {
  let head = zeros(6) + big(UInt16(1)) + big(version) + zeros(6)
  let numbers = big(channels) + big(UInt16(16)) + zeros(4) + big(sampleRate << 16)
  return box(name, head, numbers, rest)
}

private func aac(type: UInt8, rateIndex: UInt64, channels: UInt8) -> [UInt8] {
  big(UInt16(type) << 11 | UInt16(rateIndex) << 7 | UInt16(channels) << 3)
}

/// A descriptor as most programs write it, with sizes of four bytes.
private func esds(_ settings: [UInt8]) -> [UInt8] {
  let inner = [5, 0x80, 0x80, 0x80, UInt8(settings.count)] + settings
  let decoder = [4, 0x80, 0x80, 0x80, UInt8(13 + inner.count)] + zeros(13) + inner
  let stream = [3, 0x80, 0x80, 0x80, UInt8(3 + decoder.count)] + zeros(3) + decoder
  return box("esds", zeros(4), stream)
}
