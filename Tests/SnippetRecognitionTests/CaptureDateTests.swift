import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct CaptureDateTests {
  @Test func `the date that a camera wrote is told, with its zone`() throws {
    let block = DatedPicture.exif("2026:01:31 12:00:00", zone: "+05:30")

    for bytes in [DatedPicture.jpeg(block), DatedPicture.png(block), DatedPicture.webP(block)] {
      let date = try #require(try recognize(bytes)?.dates.best)
      #expect(date == Date(timeIntervalSince1970: 1_769_841_000))
    }
  }

  @Test func `a date without a zone is one of this machine`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let parts = DateComponents(year: 2026, month: 7, day: 4, hour: 23, minute: 59, second: 1)

    let date = try recognize(DatedPicture.jpeg(DatedPicture.exif("2026:07:04 23:59:01")))?
      .dates.best

    #expect(date == calendar.date(from: parts))
  }

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "2026:13:31 12:00:00", "2026:01:31 25:00:00",
    "2026:01:31 12:00:00 and more", "", "99999999999999999999", "1066:10:14 09:00:00",
  ])
  func `a senseless date is none`(moment: String) throws {
    #expect(try recognize(DatedPicture.jpeg(DatedPicture.exif(moment)))?.dates.best == nil)
  }

  @Test(arguments: [
    "2026:07:04 23:59:01", "2026-07-04T23:59:01", "2026/07/04 23:59:01", "2026:07: 4 23:59: 1",
    "20260704235901", "2026:07:04:23:59:01", "2026.07.04 23:59:01", "2026:07:04 23.59.01",
    "2026:07:04 23:59:01+", "2026:07:04 23:59:01\u{FFFD}",
  ])
  func `the forms that programs write instead of the standard one are read`(
    moment: String
  ) throws {
    let date = try recognize(DatedPicture.jpeg(DatedPicture.exif(moment)))?.dates.best
    #expect(date == Self.local(2026, 7, 4, 23, 59, 1))
  }

  @Test func `the date of taking goes before that of digitizing, and both before that of a change`()
    throws
  {
    let changed: (UInt16, String) = (0x0132, "2020:01:01 00:00:00")
    let digitized: (UInt16, String) = (0x9004, "2015:06:07 08:09:10")
    let taken: (UInt16, String) = (0x9003, "1985:02:03 04:05:06")

    #expect(try date([changed], []) == Self.local(2020, 1, 1))
    #expect(try date([changed], [digitized]) == Self.local(2015, 6, 7, 8, 9, 10))
    #expect(try date([changed], [digitized, taken]) == Self.local(1985, 2, 3, 4, 5, 6))
    #expect(
      try date([], [(0x9003, "0000:00:00 00:00:00"), digitized]) == Self.local(2015, 6, 7, 8, 9, 10)
    )
    // Some write them into the first directory.
    #expect(try date([changed, taken], []) == Self.local(1985, 2, 3, 4, 5, 6))
  }

  @Test func `each date has its own fraction and its own zone`() throws {
    let details: [(UInt16, String)] = [
      (0x9004, "2026:01:31 12:00:00"), (0x9292, "250"), (0x9012, "+05:30"),
      (0x9291, "999"), (0x9011, "-01:00"),
    ]
    #expect(try date([], details) == Date(timeIntervalSince1970: 1_769_841_000.25))
    #expect(
      try date([(0x0132, "2026:01:31 12:00:00"), (0x9010, "Z")], [(0x9290, "5 ")])
        == Date(timeIntervalSince1970: 1_769_860_800.5)
    )
  }

  @Test(arguments: [
    #"<rdf exif:DateTimeOriginal="2026-01-31T12:00:00+05:30" xmp:CreateDate="2027-01-01">"#,
    "<photoshop:DateCreated>2026-01-31T12:00:00+05:30</photoshop:DateCreated>",
    "<a xmp:CreateDate = '2026-01-31T12:00:00+05:30' />",
    #"<a exif:DateTimeOriginal="" photoshop:DateCreated='2026-01-31T06:30Z'>"#,
    #"<a exif:DateTimeOriginal="0000-00-00T00:00:00" xmp:CreateDate="2026-01-31T12:00+05:30">"#,
  ])
  func `an XMP packet dates a picture without such a date in EXIF`(packet: String) throws {
    for bytes in DatedPicture.withXMP(packet) {
      #expect(try recognize(bytes)?.dates.best == Date(timeIntervalSince1970: 1_769_841_000))
    }
  }

  @Test(arguments: [
    "<a xmp:CreateDate='", "<a xmp:CreateDate", "xmp:CreateDate=soon", "<xmp:CreateDate>",
    "<a xmp:CreateDate='2026'>", "",
  ])
  func `a packet without a date says nothing`(packet: String) throws {
    for bytes in DatedPicture.withXMP(packet) {
      let content = try recognize(bytes)
      #expect(content?.dates.best == nil)
      #expect(content?.facts == MediaFacts(pixelWidth: 4, pixelHeight: 3))
    }
  }

  @Test func `the chunks of a PNG date it, before its pixels and behind them`() throws {
    let time = TitledFile.pngChunk("tIME", big(UInt16(2026)) + [1, 31, 6, 30, 0])
    let text = TitledFile.pngChunk("tEXt", ascii("Creation Time\0Sat, 31 Jan 2026 06:30:00 GMT"))
    let end = TitledFile.pngChunk("IEND", [])
    let expected = Date(timeIntervalSince1970: 1_769_841_000)

    for chunk in [time, text] {
      #expect(try recognize(TitledFile.png(chunk))?.dates.best == expected)
      let plain = TitledFile.png([])
      let late = plain.dropLast(end.count) + chunk + end
      #expect(try recognize(Array(late))?.dates.best == expected)
    }
    let wrong = TitledFile.pngChunk("tIME", big(UInt16(2026)) + [2, 31, 6, 30, 0])
    #expect(try recognize(TitledFile.png(wrong))?.dates.best == nil)
  }

  @Test(arguments: [
    ("04/03/2021 05:06:07", true), ("2026:13:31 12:00:00", true), ("0000:00:00 00:00:00", false),
    ("    :  :     :  :  ", false), ("2026:01:31 12:00:00", false), ("", false),
  ])
  func `a date of a picture that cannot be read is named`(moment: String, isUnread: Bool) throws {
    let content = try recognize(DatedPicture.jpeg(DatedPicture.exif(moment)))

    #expect(content?.unreadTexts == (isUnread ? [.unreadable(name: "DateTimeOriginal")] : []))
  }

  @Test func `a date in XMP or in a chunk of a PNG that cannot be read is named`() throws {
    let packet = "<a xmp:CreateDate='soon' exif:DateTimeOriginal='0000-00-00T00:00:00'/>"
    for bytes in DatedPicture.withXMP(packet) {
      #expect(try recognize(bytes)?.unreadTexts == [.unreadable(name: "xmp:CreateDate")])
    }
    let text = TitledFile.pngChunk("tEXt", ascii("Creation Time\0last week"))
    let time = TitledFile.pngChunk("tIME", big(UInt16(2026)) + [13, 31, 6, 30, 0])
    let unset = TitledFile.pngChunk("tIME", zeros(7))
    #expect(
      try recognize(TitledFile.png(text + time))?.unreadTexts
        == [.unreadable(name: "Creation Time"), .unreadable(name: "tIME")]
    )
    #expect(try recognize(TitledFile.png(unset))?.unreadTexts == [])
  }

  private func date(_ first: [(UInt16, String)], _ details: [(UInt16, String)]) throws -> Date? {
    try recognize(DatedPicture.jpeg(DatedPicture.exif(first, details)))?.dates.best
  }

  static func local(
    _ year: Int,
    _ month: Int,
    _ day: Int,
    _ hour: Int = 0,
    _ minute: Int = 0,
    _ second: Int = 0
  ) -> Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    return calendar.date(
      from: DateComponents(
        year: year,
        month: month,
        day: day,
        hour: hour,
        minute: minute,
        second: second
      )
    )
  }

  @Test(arguments: [0, 7, 1_000_000, .max] as [UInt32])
  func `a block that points elsewhere says nothing, and its picture is recognized all the same`(
    place: UInt32
  ) throws {
    let content = try recognize(
      DatedPicture.jpeg(DatedPicture.exif("2026:01:31 12:00:00", directoryAt: place))
    )

    #expect(content?.type == .jpeg)
    #expect(content?.facts == MediaFacts(pixelWidth: 4, pixelHeight: 3))
    #expect(content?.dates.best == nil)
  }
}
