import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct M4AHeaderTests {
  @Test func `the movie box may come last, behind data of any size`() throws {
    let data = big(UInt32(1)) + ascii("mdat") + big(UInt64(16 + 300_000)) + zeros(300_000)
    let bytes = brand("isom") + box("free") + data + movie(ticks: 90_000, tracks: ["soun"])

    let content = try recognize(bytes)

    #expect(content == recording(.seconds(2)))
  }

  @Test func `the times of a movie may be wide`() throws {
    let header = box("mvhd", [1, 0, 0, 0], zeros(16), big(UInt32(45_000)), big(UInt64(22_500)))
    let bytes = brand("M4A ") + box("moov", header, TitledFile.soundTrack)

    #expect(try recognize(bytes) == recording(.milliseconds(500)))
  }

  @Test func `a movie in fragments tells its length beside them`() throws {
    let extends = box("mvex", box("mehd", zeros(4), big(UInt32(45_000))))
    let header = movieHeader(ticks: 0)

    let track = TitledFile.soundTrack

    let inFragments = brand("M4A ") + box("moov", header, track, extends)
    #expect(try recognize(inFragments) == recording(.seconds(1)))
    #expect(try recognize(brand("M4A ") + box("moov", header, track)) == recording(nil))
  }

  @Test func `a movie in many fragments has its facts`() throws {
    let fragment = box("moof", zeros(100)) + box("mdat", zeros(3_000))
    let padding = box("free", zeros(5_000))
    let movie = box("moov", movieHeader(ticks: 45_000), padding, TitledFile.soundTrack)

    let bytes = brand("M4A ") + movie + (0..<400).flatMap { _ in fragment }

    #expect(try recognize(bytes) == recording(.seconds(1)))
  }

  @Test(arguments: [
    ("isom", ["soun"], true), ("mp42", ["soun", "hint", "text"], true),
    ("isom", ["soun", "vide"], false), ("isom", ["vide"], false), ("isom", [], false),
    ("qt  ", ["soun"], true), ("3gp4", ["soun"], true), ("xxxx", ["soun"], true),
    ("qt  ", ["soun", "vide"], false), ("M4B ", ["soun", "vide"], true), ("M4A ", [], false),
  ])
  func `it is a recording when there is sound and no video, whatever its brand`(
    major: String,
    tracks: [String],
    isRecording: Bool
  ) throws {
    let content = try recognize(brand(major) + movie(ticks: 1, tracks: tracks))

    #expect(content?.type == (isRecording ? .m4a : nil))
  }

  @Test func `an unknown or absurd length is no fact`() throws {
    for ticks in [0, .max] as [UInt32] {
      let bytes = brand("M4A ") + movie(ticks: ticks, tracks: ["soun"])

      #expect(try recognize(bytes) == recording(nil))
    }
    let wide = box("mvhd", [1, 0, 0, 0], zeros(16), big(UInt32(1)), big(UInt64.max - 1))
    let standing = box("mvhd", zeros(12), big(UInt32(0)), big(UInt32(5)))
    for header in [wide, standing] {
      let bytes = brand("M4A ") + box("moov", header, TitledFile.soundTrack)
      #expect(try recognize(bytes) == recording(nil))
    }
  }

  @Test func `when it was recorded stands in the header of the movie`() throws {
    // 2026-01-31 12:00:00 UTC, counted from 1904.
    let seconds: UInt64 = 1_769_860_800 + 2_082_844_800
    let wide = box("mvhd", [1, 0, 0, 0], big(seconds), zeros(8), big(UInt32(1)), big(UInt64(1)))
    let date = Date(timeIntervalSince1970: 1_769_860_800)

    #expect(try recordedAt(header(UInt32(seconds))) == date)
    #expect(try recordedAt(wide) == date)
  }

  @Test(arguments: [0, 1, 2_082_844_800] as [UInt32])
  func `a clock that was never set, or counts from another year, tells nothing`(
    seconds: UInt32
  ) throws {
    #expect(try recordedAt(header(seconds)) == nil)
  }

  @Test(arguments: [
    ("2026-01-31T12:00:00Z", 0), ("2026-01-31 12:00:00+00:00", 0), ("2026-01-31T12:00:00.5Z", 0.5),
    ("2026-01-31T14:00:00+0200", 0),
  ])
  func `it may stand in the words about the recording too`(text: String, offset: Double) throws {
    let date = Date(timeIntervalSince1970: 1_769_860_800 + offset)

    #expect(try recordedAt(header(0), day: text) == date)
    // The header is of the device; words may be anybody's.
    #expect(
      try recordedAt(header(3_852_705_599), day: text)
        == Date(timeIntervalSince1970: 1_769_860_799)
    )
  }

  @Test(arguments: ["2099-01-01T00:00:00Z", "2024-06-03", "1904-01-01T00:00:00Z", "soon"])
  func `a moment in the keys of QuickTime that cannot be yields to the header`(text: String)
    throws
  {
    let key = box("mdta", ascii("com.apple.quicktime.creationdate"))
    let data = box("data", big(UInt32(1)), zeros(4), ascii(text))
    let item = big(UInt32(8 + data.count)) + big(UInt32(1)) + data
    let meta = box("meta", box("keys", zeros(4), big(UInt32(1)), key), box("ilst", item))
    let movie = box("moov", header(3_852_705_599), TitledFile.soundTrack, meta)

    let date = try recognize(brand("M4A ") + movie)?.dates.best

    #expect(date == Date(timeIntervalSince1970: 1_769_860_799))
  }

  @Test func `a day alone is one of this machine's`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let day = calendar.date(from: DateComponents(year: 2026, month: 1, day: 31))

    #expect(try recordedAt(header(0), day: "2026-01-31") == day)
  }

  @Test(arguments: ["2026", "", "yesterday", "2026-13-40", "2026-01-31T99:00:00Z", "1904-01-01"])
  func `a year alone and nonsense tell nothing`(text: String) throws {
    #expect(try recordedAt(header(0), day: text) == nil)
  }

  @Test(arguments: [("samr", 8000), ("sawb", 16_000)])
  func `what phones record into 3GP has one channel, whatever its entry says`(
    codec: String,
    sampleRate: Int
  ) throws {
    let entry = box(codec, zeros(16), big(UInt16(2)), big(UInt16(16)), zeros(8))
    let table = box("stbl", box("stsd", zeros(4), big(UInt32(1)), entry))
    let handler = box("hdlr", zeros(8), ascii("soun"), zeros(13))
    let track = box("trak", box("mdia", handler, box("minf", table)))

    let facts = try recognize(brand("3gp4") + box("moov", movieHeader(ticks: 1), track))?.facts

    #expect(facts?.sampleRate == sampleRate && facts?.channelCount == 1)
  }

  @Test func `a 3GP file has its own title and description`() throws {
    func text(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      box(name, zeros(4), [0x15, 0xC7], bytes)
    }
    func content(_ texts: [UInt8]...) throws -> RecognizedContent? {
      let user = box("udta", texts.flatMap { $0 })
      let movie = box("moov", movieHeader(ticks: 1), TitledFile.soundTrack, user)
      return try recognize(brand("3gp4") + movie)
    }
    let wide: [UInt8] = [0xFE, 0xFF] + "Größe".utf16.flatMap { big($0) } + zeros(2)

    let plain = try content(text("titl", ascii("Waves\0")), text("dscp", ascii("The sea\0")))
    #expect(plain?.title == "Waves" && plain?.note == "The sea" && plain?.unreadTexts == [])
    #expect(try content(text("titl", wide))?.title == "Größe")
    #expect(try content(text("titl", []))?.title == nil)
  }

  private func recordedAt(_ header: [UInt8], day: String? = nil) throws -> Date? {
    let item = [0xA9] + ascii("day")
    let words = day.map { text in
      let data = box("data", big(UInt32(1)), zeros(4), Array(text.utf8))
      let list = box("ilst", big(UInt32(8 + data.count)) + item + data)
      return box("udta", box("meta", zeros(4), list))
    }
    return try recognize(
      brand("M4A ") + box("moov", header, TitledFile.soundTrack, words ?? [])
    )?.dates.best
  }

  private func header(_ seconds: UInt32) -> [UInt8] {
    box("mvhd", zeros(4), big(seconds), zeros(4), big(UInt32(1)), big(UInt32(1)))
  }

  private func recording(_ duration: Duration?) -> RecognizedContent {
    let facts = MediaFacts(duration: duration, sampleRate: 8000, channelCount: 1)
    return RecognizedContent(type: .m4a, facts: facts)
  }

  @Test(arguments: [
    big(UInt32(7)) + ascii("free"),
    big(UInt32.max) + ascii("free"),
    big(UInt32(1)) + ascii("free") + big(UInt64.max),
    big(UInt32(1)) + ascii("free") + big(UInt64(15)),
    big(UInt32(1)) + ascii("free") + big(UInt64(1) << 63),
    [0],
  ])
  func `a box of an absurd size ends the search`(box: [UInt8]) throws {
    let movie = movie(ticks: 1, tracks: ["soun"])

    #expect(try recognize(brand("isom") + box + movie) == nil)
    #expect(try recognize(brand("isom") + movie + box)?.type == .m4a)
  }

  @Test func `a box without a size ends with the file`() throws {
    let movie = movie(ticks: 45_000, tracks: ["soun"])
    let endless = zeros(4) + movie[4...]

    #expect(try recognize(brand("isom") + endless)?.facts.duration == .seconds(1))
  }
}

private func brand(_ major: String) -> [UInt8] {
  box("ftyp", ascii(major), zeros(4), ascii("isom"))
}

private func movie(ticks: UInt32, tracks: [String]) -> [UInt8] {
  let tracks = tracks.flatMap { handler in
    handler == "soun"
      ? TitledFile.soundTrack
      : box("trak", box("mdia", box("hdlr", zeros(8), ascii(handler), zeros(13))))
  }
  return box("moov", movieHeader(ticks: ticks), tracks)
}

private func movieHeader(ticks: UInt32) -> [UInt8] {
  box("mvhd", zeros(12), big(UInt32(45_000)), big(ticks), zeros(80))
}
