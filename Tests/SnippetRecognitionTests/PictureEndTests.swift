import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// Content that a store keeps although it is irregular, and whole content beside it.
struct PictureEndTests {
  private func isIrregular(_ bytes: some Sequence<UInt8>) throws -> Bool? {
    try ContentRecognizer.recognize(MemoryBytes(Array(bytes)))?.isIrregular
  }

  /// A JPEG with a smaller one in front of its own scan, as cameras write.
  private func withThumbnail(_ picture: Data) -> Data {
    let inner = Data([0xFF, 0xD8, 0xFF, 0xD9])
    return picture.prefix(2) + [0xFF, 0xE1, 0, UInt8(2 + inner.count)] + inner
      + picture.dropFirst(2)
  }

  @Test(arguments: [
    "mountain-lake.jpg", "lighthouse-at-night.jpg", "sunset-over-hills.png", "sailing-boat.gif",
    "balloon-over-meadow.webp", "potted-cactus.bmp",
  ])
  func `a picture without its end is irregular, and the whole one is not`(name: String) throws {
    let picture = try SampleFiles.demo(name)

    #expect(try isIrregular(picture) == false)
    #expect(try isIrregular(picture + Data(repeating: 0, count: 40)) == false)
    #expect(try isIrregular(picture.dropLast(13)) == true)
    #expect(try isIrregular(picture.prefix(picture.count * 2 / 3)) == true)
  }

  @Test(arguments: [("balloon-over-meadow.webp", 4), ("potted-cactus.bmp", 2)])
  func `a picture whose header says that it has no size is irregular`(
    name: String,
    place: Int
  ) throws {
    var picture = [UInt8](try SampleFiles.demo(name))
    picture.replaceSubrange(place..<place + 4, with: zeros(4))

    #expect(try isIrregular(picture) == true)
  }

  // The width, the colors and the checksum itself.
  @Test(arguments: [19, 25, 32])
  func `a PNG whose head does not match its checksum is irregular`(place: Int) throws {
    var picture = [UInt8](try SampleFiles.demo("sunset-over-hills.png"))
    picture[place] ^= 1

    #expect(try isIrregular(picture) == true)
  }

  @Test func `the end of a picture within another is not that of the other`() throws {
    let picture = withThumbnail(try SampleFiles.demo("mountain-lake.jpg"))

    #expect(try isIrregular(picture) == false)
    #expect(try isIrregular(picture.dropLast(2)) == true)
    #expect(try isIrregular(picture.prefix(picture.count / 2)) == true)
  }

  @Test func `a film behind a picture is not its missing end`() throws {
    let picture = try SampleFiles.demo("mountain-lake.jpg")

    #expect(try isIrregular(picture + Data(repeating: 0x11, count: 300_000)) == false)
    #expect(try isIrregular(picture.dropLast(2) + Data(repeating: 0x11, count: 300_000)) == true)
  }

  @Test func `bytes behind the end of a GIF are not its missing end`() throws {
    let picture = try SampleFiles.demo("sailing-boat.gif")
    let junk = ascii("JUNK")

    #expect(try isIrregular(picture + junk) == false)
    #expect(try isIrregular(picture + Data(repeating: 0x11, count: 300_000)) == false)
    #expect(try isIrregular(picture.dropLast(13) + junk) == true)
    #expect(try isIrregular(picture.prefix(picture.count / 2) + junk) == true)
  }

  @Test func `a box that goes on behind the end of the file is cut short`() throws {
    func box(_ type: String, _ count: UInt32, _ content: [UInt8] = []) -> [UInt8] {
      withUnsafeBytes(of: count.bigEndian) { Array($0) } + Array(type.utf8) + content
    }
    let start = box("ftyp", 16, Array("heic".utf8) + [0, 0, 0, 0])
    let whole = start + box("mdat", 12, [1, 2, 3, 4])
    let film = whole + [9, 9, 9, 9] + Array("what".utf8)

    #expect(try !PictureEnd.isMissing(of: .heic, in: MemoryBytes(whole)))
    #expect(try !PictureEnd.isMissing(of: .heic, in: MemoryBytes(film)))
    #expect(try PictureEnd.isMissing(of: .heic, in: MemoryBytes(whole.dropLast())))
    let wide = start + box("mdat", 1, [0, 0, 0, 0, 0, 0, 0, 24]) + Array(repeating: 7, count: 8)
    #expect(try !PictureEnd.isMissing(of: .avif, in: MemoryBytes(wide)))
    #expect(try PictureEnd.isMissing(of: .avif, in: MemoryBytes(wide.dropLast(3))))
    #expect(try !PictureEnd.isMissing(of: .heic, in: MemoryBytes([UInt8]())))
  }

  @Test func `a recording that is cut short is irregular where its sizes tell`() throws {
    let fast = box("ftyp", ascii("M4A "), zeros(4)) + box("mdat", zeros(100))

    #expect(try !RecordingEnd.isMissing(of: .m4a, in: MemoryBytes(fast)))
    #expect(try RecordingEnd.isMissing(of: .m4a, in: MemoryBytes(fast.dropLast())))
    #expect(try isIrregular(RealFiles.m4a) == false)
    #expect(try isIrregular(RealFiles.mp3) == false)
    #expect(try isIrregular(RealFiles.mp3.dropLast(20)) == true)
    #expect(try isIrregular(RealFiles.bareMP3) == false)
    let bell = try SampleFiles.demo("evening-bell.flac")
    #expect(try isIrregular(bell) == false)
    #expect(try isIrregular(bell.prefix(bell.count / 2)) == true)
    #expect(try isIrregular(RealFiles.flac) == false)
  }

  @Test func `an Ogg that ends within a page, or with other bytes between two, is irregular`()
    throws
  {
    let drum = try Array(SampleFiles.demo("drum-pattern.ogg"))
    for whole in [RealFiles.vorbis, RealFiles.opus, RealFiles.speex, drum] {
      #expect(try isIrregular(whole) == false)
      // As tags behind the end.
      #expect(try isIrregular(whole + ascii("TAG") + zeros(125)) == false)
      let mark = ascii("OggS")
      let last = try #require(whole.indices.last { whole[$0...].starts(with: mark) })
      for count in [1, 20, whole.count - last - 30, whole.count - last - 3] {
        #expect(try isIrregular(whole.dropLast(count)) == true, "\(count)")
      }
      var spoiled = whole
      spoiled.insert(contentsOf: ascii("other"), at: last)
      #expect(try isIrregular(spoiled) == true)
      // Recorders of Android set no mark of the end.
      var unmarked = whole
      unmarked[last + 5] &= ~4
      #expect(try isIrregular(unmarked) == false)
      #expect(try isIrregular(unmarked + zeros(9)) == true)
    }
  }

  @Test func `of a long Ogg the beginning and the end tell that it is irregular`() throws {
    let start = Array(RealFiles.opus.prefix(47 + 74))
    let head = Array(start[47..<47 + 26])
    // Each has 255 segments of 16 bytes.
    let page = head + [255] + [UInt8](repeating: 16, count: 255) + zeros(255 * 16)
    let pages = Array([[UInt8]](repeating: page, count: 1000).joined())

    #expect(try isIrregular(start + pages) == false)
    #expect(try isIrregular(start + pages.dropLast(7)) == true)
    #expect(try isIrregular(start + ascii("other") + pages) == true)
    #expect(try isIrregular(start + pages + ascii("other") + page) == true)
  }

  @Test func `a WAVE that is cut short is irregular, unless its size was never known`() throws {
    let whole = [UInt8](Samples.wav())
    func claiming(_ byteCount: UInt32) -> [UInt8] {
      Array(whole[..<4]) + little(byteCount) + Array(whole[8...])
    }

    #expect(try isIrregular(whole) == false)
    #expect(try isIrregular(whole + zeros(100)) == false)
    for count in [2, 100, 7_000] { #expect(try isIrregular(whole.dropLast(count)) == true) }
    for claimed in [0, 0x7FFF_F000, .max] as [UInt32] {
      #expect(try isIrregular(claiming(claimed).dropLast(100)) == false)
    }
    // The whole has room for the sound, which is there.
    #expect(try isIrregular(claiming(20_000)) == false)
  }

  @Test func `a RF64, an AIFF and a CAF are cut short where their sizes tell`() throws {
    let sound = zeros(8000)
    let wave = [UInt8](Samples.wav())
    let sizes = riffChunk(
      "ds64",
      little(UInt64(36 + 36 + 8000)) + little(UInt64(8000)) + zeros(12)
    )
    let wide: [[UInt8]] = [
      ascii("RF64"), little(UInt32.max), ascii("WAVE"), sizes, Array(wave[12..<36]), ascii("data"),
      little(UInt32.max), sound,
    ]
    let rate = big(UInt16(16_383 + 12)) + big(UInt64(8000) << 51)
    let aiff: [[UInt8]] = [
      ascii("FORM"), big(UInt32(4 + 26 + 16 + 8000)), ascii("AIFFCOMM"), big(UInt32(18)),
      big(UInt16(1)), big(UInt32(8000)), big(UInt16(8)), rate, ascii("SSND"), big(UInt32(8008)),
      zeros(8), sound,
    ]
    let plain = [wide, aiff].map { $0.flatMap { $0 } }
    let core = TitledFile.caf()

    for whole in plain + [core] {
      #expect(try isIrregular(whole) == false)
      #expect(try isIrregular(whole + zeros(100)) == false)
      for count in [2, 50, 100] { #expect(try isIrregular(whole.dropLast(count)) == true) }
    }
    for whole in plain {
      #expect(try recognize(Array(whole.dropLast(4000)))?.facts.duration == .milliseconds(500))
    }
    // No size was written.
    for (file, places) in [(plain[0], [28..<36]), (plain[1], [4..<8, 42..<46])] {
      for place in places {
        var unfinished = file
        unfinished.replaceSubrange(place, with: zeros(place.count))
        #expect(try isIrregular(unfinished) == true)
      }
    }
    // The sound was written to a pipe.
    var live = plain[1]
    live.replaceSubrange(42..<46, with: big(UInt32(0x7F00_0000)))
    #expect(try isIrregular(live) == false)
  }

  @Test func `an AAC or an AMR that ends within a frame is cut short`() throws {
    // 200 bytes a frame, two channels.
    let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x19, 0x1F, 0xFC] + zeros(193)
    let spoken: [UInt8] = [0x3C] + zeros(31)
    func repeated(_ frame: [UInt8], _ count: Int) -> [UInt8] {
      Array([[UInt8]](repeating: frame, count: count).joined())
    }
    let wholes = [
      repeated(frame, 40), repeated(frame, 1000), ascii("#!AMR\n") + repeated(spoken, 50),
      ascii("#!AMR\n") + repeated(spoken, 60_000),
    ]
    for whole in wholes {
      #expect(try isIrregular(whole) == false)
      for count in [1, 20, 29] { #expect(try isIrregular(whole.dropLast(count)) == true) }
    }
    for whole in [wholes[0], wholes[1]] {
      // Only the mark of the next frame, and a tag of older programs.
      #expect(try isIrregular(whole + [0xFF, 0xF1]) == true)
      #expect(try isIrregular(whole + ascii("TAG") + zeros(125)) == false)
    }
  }

  @Test func `a FLAC is cut short within its last frame too`() throws {
    let bell = try SampleFiles.demo("evening-bell.flac")
    for whole in [Array(bell), RealFiles.flac] {
      #expect(try isIrregular(whole + ascii("TAG") + zeros(125)) == false)
      #expect(try isIrregular(whole.dropLast()) == true)
      #expect(try isIrregular(whole.dropLast(20)) == true)
    }
    // Two frames of silence, 192 samples each.
    let numbers = UInt64(44_100) << 44 | UInt64(15) << 36 | 384
    let information = big(UInt16(192)) + big(UInt16(192)) + zeros(6) + big(numbers) + zeros(16)
    let frames: [UInt8] = [
      0xFF, 0xF8, 0x19, 0x08, 0x00, 0xBA, 0x00, 0x00, 0x00, 0x30, 0xB2,
      0xFF, 0xF8, 0x19, 0x08, 0x01, 0xBD, 0x00, 0x00, 0x00, 0x5C, 0xCA,
    ]
    let silence = ascii("fLaC") + [0x80, 0, 0, 34] + information + frames
    #expect(try isIrregular(silence) == false)
    for count in 1...12 { #expect(try isIrregular(silence.dropLast(count)) == true, "\(count)") }
  }

  @Test func `a FLAC is cut short where its last frame is smaller than the smallest`() throws {
    func checksum(_ bytes: [UInt8]) -> [UInt8] {
      var sum: UInt16 = 0
      for byte in bytes {
        sum ^= UInt16(byte) << 8
        for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x8005 }
      }
      return big(sum)
    }
    // The checksum of the first six bytes stands behind them, as it may by chance.
    let head: [UInt8] = [0xFF, 0xF8, 0x19, 0x08, 0x00, 0xBA]
    let beginning = head + checksum(head) + [1]
    let frame = beginning + checksum(beginning)
    func recording(smallest: UInt8, _ frame: [UInt8]) -> [UInt8] {
      let numbers = big(UInt64(44_100) << 44 | UInt64(15) << 36 | 192)
      let sizes = big(UInt16(192)) + big(UInt16(192)) + [0, 0, smallest, 0, 0, 0]
      let information = ascii("fLaC") + [0x80, 0, 0, 34] + sizes + numbers + zeros(16)
      return information + frame
    }

    #expect(try isIrregular(recording(smallest: 11, frame)) == false)
    for count in 1...3 {
      let cut = Array(frame.dropLast(count))
      #expect(try isIrregular(recording(smallest: 11, cut)) == true, "\(count)")
      // Unknown.
      #expect(try isIrregular(recording(smallest: 0, cut)) == false, "\(count)")
    }
  }

  @Test func `an MP3 whose encoder tells no size is cut short where its last frame is`() throws {
    let frames = (0..<50).flatMap { _ in TitledFile.mp3 }
    let tags = [ascii("TAG") + zeros(125), ascii("APETAGEX") + zeros(900), zeros(500)]

    #expect(try isIrregular(frames) == false)
    for tag in tags { #expect(try isIrregular(frames + tag) == false) }
    for count in [1, 100, 400] { #expect(try isIrregular(frames.dropLast(count)) == true) }
    #expect(try isIrregular(frames.dropLast(417)) == false)
  }

  @Test func `a text with a wrong byte is irregular, in any encoding that has none is not`() throws
  {
    let text = Data("n\u{E9} \u{E0} l'\u{E9}t\u{E9} 1999, Gr\u{FC}\u{DF}e".utf8)

    #expect(try isIrregular(text) == false)
    #expect(try isIrregular(text + [0xFF]) == true)
    #expect(try isIrregular([0xFF, 0xFE, 0x41, 0, 0x42, 0]) == false)
  }
}
