import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct M4AHeaderTests {
  @Test func `the movie box may come last, behind data of any size`() throws {
    let data = big(UInt32(1)) + ascii("mdat") + big(UInt64(16 + 300_000)) + zeros(300_000)
    let bytes = brand("isom") + box("free") + data + movie(ticks: 90_000, tracks: ["soun"])

    let content = try recognize(bytes)

    #expect(content == RecognizedContent(type: .m4a, facts: MediaFacts(duration: .seconds(2))))
  }

  @Test func `the times of a movie may be wide`() throws {
    let header = box("mvhd", [1, 0, 0, 0], zeros(16), big(UInt32(45_000)), big(UInt64(22_500)))
    let bytes = brand("M4A ") + box("moov", header)

    #expect(try recognize(bytes)?.facts == MediaFacts(duration: .milliseconds(500)))
  }

  @Test func `a movie in fragments tells its length beside them`() throws {
    let extends = box("mvex", box("mehd", zeros(4), big(UInt32(45_000))))
    let header = movieHeader(ticks: 0)

    #expect(
      try recognize(brand("M4A ") + box("moov", header, extends))?.facts.duration == .seconds(1)
    )
    #expect(try recognize(brand("M4A ") + box("moov", header)) == RecognizedContent(type: .m4a))
  }

  @Test(arguments: [
    ("isom", ["soun"], true), ("mp42", ["soun", "hint", "text"], true),
    ("isom", ["soun", "vide"], false), ("isom", ["vide"], false), ("isom", [], false),
    ("qt  ", ["soun"], false), ("M4B ", ["soun", "vide"], true), ("M4A ", [], true),
  ])
  func `an open brand is a recording when there is sound and no video`(
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

      #expect(try recognize(bytes) == RecognizedContent(type: .m4a))
    }
    let wide = box("mvhd", [1, 0, 0, 0], zeros(16), big(UInt32(1)), big(UInt64.max - 1))
    #expect(try recognize(brand("M4A ") + box("moov", wide)) == RecognizedContent(type: .m4a))
    let standing = box("mvhd", zeros(12), big(UInt32(0)), big(UInt32(5)))
    #expect(try recognize(brand("M4A ") + box("moov", standing)) == RecognizedContent(type: .m4a))
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
    box(
      "trak",
      box("tkhd", zeros(84)),
      box("mdia", box("hdlr", zeros(8), ascii(handler), zeros(13)))
    )
  }
  return box("moov", movieHeader(ticks: ticks), tracks)
}

private func movieHeader(ticks: UInt32) -> [UInt8] {
  box("mvhd", zeros(12), big(UInt32(45_000)), big(ticks), zeros(80))
}
