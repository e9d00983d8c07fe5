import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct ImageHeaderTests {
  @Test(arguments: [(1, 640, 480), (3, 640, 480), (5, 480, 640), (8, 480, 640), (9, 640, 480)])
  func `the size of an image is the one it is shown with`(
    orientation: UInt32,
    width: Int,
    height: Int
  ) throws {
    let shown = MediaFacts(pixelWidth: width, pixelHeight: height)

    #expect(try recognize(png(640, 480, exif: exif(orientation: orientation)))?.facts == shown)
    #expect(try recognize(jpeg(640, 480, exif: exif(orientation: orientation)))?.facts == shown)
    #expect(try recognize(webP(640, 480, exif: exif(orientation: orientation)))?.facts == shown)
    let entries = [(0x0100, 640), (0x0101, 480), (0x0112, orientation)] as [(UInt16, UInt32)]
    #expect(try recognize(tiff(entries))?.facts == shown)
    #expect(try recognize(tiff(entries, isBigEndian: true))?.facts == shown)
  }

  @Test(arguments: [0, 1 << 31, .max] as [UInt32])
  func `what claims an absurd size is no image`(size: UInt32) throws {
    for bytes in [png(size, 5), png(5, size), tiff([(0x0100, size), (0x0101, 5)])] {
      #expect(try recognize(bytes) == nil)
    }
  }

  @Test func `a GIF whose screen has no size has that of its first frame`() throws {
    let gif = RealFiles.gif
    let bytes = Array(gif[..<6]) + zeros(4) + Array(gif[10...])

    #expect(try recognize(bytes)?.facts == MediaFacts(pixelWidth: 3, pixelHeight: 2))
  }

  @Test func `the largest size is a fact`() throws {
    let facts = try recognize(png(0x7FFF_FFFF, 1))?.facts

    #expect(facts == MediaFacts(pixelWidth: 0x7FFF_FFFF, pixelHeight: 1))
  }

  @Test func `a PNG chunk that claims more than there is ends the search`() throws {
    let bytes = png(4, 3, chunks: big(UInt32.max) + ascii("zTXt"))

    #expect(try recognize(bytes)?.facts == MediaFacts(pixelWidth: 4, pixelHeight: 3))
  }

  @Test func `a JPEG header may have fill bytes and segments of any kind`() throws {
    let segment = [0xFF, 0xFF, 0xFF, 0xE2] + big(UInt16(5000)) + zeros(4998)
    let bytes = jpeg(640, 480, segments: segment, startOfFrame: 0xC2)

    #expect(try recognize(bytes)?.facts == MediaFacts(pixelWidth: 640, pixelHeight: 480))
  }

  @Test(
    arguments: [
      [0xFF, 0xE0, 0, 0], [0xFF, 0xE0, 0, 1], [0xFF, 0xE0, 0xFF, 0xFF], [0xFF, 0xDA, 0, 2],
      // More than any program writes, which would take long to pass over.
      [UInt8](repeating: 0xFF, count: 10_000),
      Array([[UInt8]](repeating: [0xFF, 0xE0, 0, 2], count: 5_000).joined()),
    ] as [[UInt8]]
  )
  func `a JPEG without a frame header that can be reached is no image`(segment: [UInt8]) throws {
    #expect(try recognize(jpeg(640, 480, segments: segment)) == nil)
  }

  @Test(
    arguments: [
      [0], [1, 2, 3], [0xFF, 0], [0xFF, 0xD0], zeros(4000), ascii("stray"),
    ] as [[UInt8]]
  )
  func `stray bytes before a segment of a JPEG are passed over`(stray: [UInt8]) throws {
    let plain = jpeg(640, 480)
    let segment: [UInt8] = [0xFF, 0xE1] + big(UInt16(4)) + [9, 9]
    let facts = MediaFacts(pixelWidth: 640, pixelHeight: 480)

    #expect(try recognize(jpeg(640, 480, segments: segment + stray))?.facts == facts)
    #expect(try recognize(plain[..<2] + stray + plain[2...])?.facts == facts)
  }

  @Test func `bytes that only begin like a JPEG are no image`() throws {
    for rest in [zeros(5000), ascii(" no picture"), [0xFF, 0xD0]] {
      #expect(try recognize([0xFF, 0xD8] + rest)?.type.kind != .image)
    }
  }

  @Test func `a thumbnail within a JPEG is not the image`() throws {
    let thumbnail = jpeg(160, 120)
    let segment = [0xFF, 0xE1] + big(UInt16(2 + thumbnail.count)) + thumbnail

    let facts = try recognize(jpeg(640, 480, segments: segment))?.facts

    #expect(facts == MediaFacts(pixelWidth: 640, pixelHeight: 480))
  }

  @Test func `a bitmap stored from the top has a negative height`() throws {
    let facts = MediaFacts(pixelWidth: 20, pixelHeight: 10)

    #expect(try recognize(bmp(20, -10))?.facts == facts)
    #expect(try recognize(bmp(20, 10))?.facts == facts)
    #expect(try recognize(bmp(20, .min)) == nil)
    #expect(try recognize(bmp(-20, 10)) == nil)
  }

  @Test func `a bitmap of the first version has a short header`() throws {
    let header = little(UInt32(12)) + little(UInt16(7)) + little(UInt16(9))
    let bytes = bmpFile(header + little(UInt16(1)) + little(UInt16(24)))

    #expect(try recognize(bytes)?.facts == MediaFacts(pixelWidth: 7, pixelHeight: 9))
  }

  @Test func `raw pictures of cameras are no TIFF images`() throws {
    let size = [(0x0100, 640), (0x0101, 480)] as [(UInt16, UInt32)]
    var canon = tiff(size)
    canon.replaceSubrange(4..<8, with: little(UInt32(16)))
    canon.insert(contentsOf: ascii("CR\u{2}\0") + zeros(4), at: 8)

    #expect(try recognize(tiff(size + [(0xC612, 0x0104)])) == nil)
    #expect(try recognize(canon) == nil)
  }

  @Test func `a TIFF directory that cannot be reached is no image`() throws {
    for start in [0, 7, 1 << 20, .max] as [UInt32] {
      var bytes = tiff([(0x0100, 640), (0x0101, 480)])
      bytes.replaceSubrange(4..<8, with: little(start))

      #expect(try recognize(bytes) == nil)
    }
  }

  @Test func `a TIFF directory may claim more entries than it has`() throws {
    var bytes = tiff([(0x0100, 640), (0x0101, 480)])
    bytes.replaceSubrange(8..<10, with: little(UInt16.max))

    #expect(try recognize(bytes) == nil)
  }

  @Test func `a HEIF image has the size of its primary item, cut and turned in order`() throws {
    let size = box("ispe", zeros(4), big(UInt32(4000)), big(UInt32(3000)))
    let other = box("ispe", zeros(4), big(UInt32(320)), big(UInt32(240)))
    let cut = box("clap", [100, 1, 50, 1].flatMap { big(UInt32($0)) }, zeros(16))
    let turn = box("irot", [1])
    let twice = box("irot", [2])
    let properties = [other, size, cut, turn, twice]

    #expect(try heifSize(properties, [2]) == MediaFacts(pixelWidth: 4000, pixelHeight: 3000))
    #expect(try heifSize(properties, [2, 4]) == MediaFacts(pixelWidth: 3000, pixelHeight: 4000))
    #expect(try heifSize(properties, [2, 5]) == MediaFacts(pixelWidth: 4000, pixelHeight: 3000))
    #expect(try heifSize(properties, [2, 3, 4]) == MediaFacts(pixelWidth: 50, pixelHeight: 100))
    #expect(try heifSize(properties, [0, 6, 127]) == nil)
    #expect(try heifSize([], [1]) == nil)
  }

  @Test(arguments: [0, 1, 2] as [UInt8])
  func `when a HEIF image was taken stands in an item of its own`(version: UInt8) throws {
    let block = DatedPicture.exif("2026:01:31 12:34:56")

    let content = try recognize(heif(exif: block, locationVersion: version))

    let date = try #require(content?.dates.best)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    #expect([parts.year, parts.month, parts.day] == [2026, 1, 31])
    #expect([parts.hour, parts.minute, parts.second] == [12, 34, 56])
    // Its properties say how it is turned; EXIF repeats that for others.
    #expect(content?.facts == MediaFacts(pixelWidth: 40, pixelHeight: 30))
  }

  @Test(arguments: [
    ("heic", [], ContentType.heic), ("mif1", ["miaf", "heic"], .heic), ("msf1", ["hevc"], .heic),
    ("avif", ["mif1"], .avif), ("avis", [], .avif), ("mif1", ["avif"], .avif),
    ("mif1", ["miaf"], nil), ("crx ", [], nil), ("jp2 ", [], nil),
  ])
  func `the brands say how a HEIF image is coded`(
    major: String,
    others: [String],
    type: ContentType?
  ) throws {
    let size = box("ispe", zeros(4), big(UInt32(40)), big(UInt32(30)))
    let brands = box("ftyp", ascii(major), zeros(4), others.flatMap(ascii))

    #expect(try recognize(brands + heifMeta([size], [1]))?.type == type)
  }

  @Test(.timeLimit(.minutes(10)))
  func `items of a HEIF image with the most parts of no bytes are skipped at once`() throws {
    let size = box("ispe", zeros(4), big(UInt32(40)), big(UInt32(30)))
    let entry = box("infe", [2, 0, 0, 0], big(UInt16(8)), zeros(2), ascii("Exif"), [0])
    let item = big(UInt16(1)) + zeros(2) + big(UInt16.max)
    let items = [UInt8]((0..<60_000).map { _ in item }.joined())
    let boxes =
      box("iinf", zeros(4), big(UInt16(1)), entry)
      + box("iloc", zeros(4), [0, 0], big(UInt16(60_000)), items)
    let image = box("ftyp", ascii("heic"), zeros(4)) + heifMeta([size], [1], boxes)

    #expect(try recognize(image)?.facts == MediaFacts(pixelWidth: 40, pixelHeight: 30))
  }
}

private func png(
  _ width: UInt32,
  _ height: UInt32,
  exif: [UInt8]? = nil,
  chunks: [UInt8] = []
) -> [UInt8] {
  func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    big(UInt32(content.count)) + ascii(name) + content + zeros(4)
  }
  let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  let header = chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0])
  let turned = exif.map { chunk("tEXt", zeros(3000)) + chunk("eXIf", $0) } ?? []
  return signature + header + turned + chunks + chunk("IDAT", zeros(10)) + chunk("IEND", [])
}

private func jpeg(
  _ width: UInt16,
  _ height: UInt16,
  exif: [UInt8]? = nil,
  segments: [UInt8] = [],
  startOfFrame: UInt8 = 0xC0
) -> [UInt8] {
  func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(UInt16(2 + content.count)) + content
  }
  let turned = exif.map { segment(0xE1, ascii("Exif\0\0") + $0) } ?? []
  let frame = segment(startOfFrame, [8] + big(height) + big(width) + [1, 1, 0x11, 0])
  let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + zeros(8)
  return [0xFF, 0xD8] + turned + segments + frame + scan + [0xFF, 0xD9]
}

private func webP(_ width: UInt32, _ height: UInt32, exif: [UInt8]) -> [UInt8] {
  let size = little(width - 1)[..<3] + little(height - 1)[..<3]
  let chunks = riffChunk("VP8X", [0x08, 0, 0, 0] + size) + riffChunk("VP8 ", zeros(4999))
  return ascii("RIFF") + zeros(4) + ascii("WEBP") + chunks + riffChunk("EXIF", exif)
}

private func bmp(_ width: Int32, _ height: Int32) -> [UInt8] {
  let header = little(UInt32(40)) + little(width) + little(height)
  return bmpFile(header + little(UInt16(1)) + little(UInt16(24)) + zeros(24))
}

private func bmpFile(_ header: [UInt8]) -> [UInt8] {
  ascii("BM") + zeros(8) + little(UInt32(14 + header.count)) + header + zeros(8)
}

private func heifMeta(
  _ properties: [[UInt8]],
  _ indexes: [UInt8],
  _ boxes: [UInt8] = []
) -> [UInt8] {
  let association = big(UInt32(1)) + big(UInt16(7)) + [UInt8(indexes.count)] + indexes
  return box(
    "meta",
    zeros(4),
    box("hdlr", zeros(24)),
    box("pitm", zeros(4), big(UInt16(7))),
    box("iprp", box("ipco", properties.flatMap { $0 }), box("ipma", zeros(4), association)),
    boxes
  )
}

private func heifSize(_ properties: [[UInt8]], _ indexes: [UInt8]) throws -> MediaFacts? {
  let brands = box("ftyp", ascii("heic"), zeros(4))
  return try recognize(brands + heifMeta(properties, indexes))?.facts
}

/// A HEIC whose second item is EXIF, behind all the boxes.
private func heif(exif: [UInt8], locationVersion version: UInt8) -> [UInt8] {
  let size = box("ispe", zeros(4), big(UInt32(40)), big(UInt32(30)))
  let entry = box("infe", [2, 0, 0, 0], big(UInt16(8)), zeros(2), ascii("Exif"), [0])
  let list = box("iinf", zeros(4), big(UInt16(1)), entry)
  func number(_ value: UInt16) -> [UInt8] { version < 2 ? big(value) : big(UInt32(value)) }
  func location(_ offset: UInt32) -> [UInt8] {
    let method: [UInt8] = version == 0 ? [] : big(UInt16(0))
    let item = number(8) + method + zeros(2) + big(UInt16(1)) + big(offset) + big(UInt32(999))
    return box("iloc", [version, 0, 0, 0], [0x44, 0x00], number(1), item)
  }
  let brands = box("ftyp", ascii("heic"), zeros(4))
  func file(_ offset: UInt32) -> [UInt8] {
    brands + heifMeta([size], [1], list + location(offset)) + box("free")
  }
  let payload = big(UInt32(6)) + ascii("Exif\0\0") + exif
  return file(UInt32(file(0).count)) + payload
}
