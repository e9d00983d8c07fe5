import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct CaptureDateTests {
  @Test func `the date that a camera wrote is told, with its zone`() throws {
    let block = DatedPicture.exif("2026:01:31 12:00:00", zone: "+05:30")

    for bytes in [DatedPicture.jpeg(block), DatedPicture.png(block), DatedPicture.webP(block)] {
      let date = try #require(try recognize(bytes)?.capturedAt)
      #expect(date == Date(timeIntervalSince1970: 1_769_841_000))
    }
  }

  @Test func `a date without a zone is one of this machine`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let parts = DateComponents(year: 2026, month: 7, day: 4, hour: 23, minute: 59, second: 1)

    let date = try recognize(DatedPicture.jpeg(DatedPicture.exif("2026:07:04 23:59:01")))?
      .capturedAt

    #expect(date == calendar.date(from: parts))
  }

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "2026:13:31 12:00:00", "2026:01:31 25:00:00",
    "2026:01:31", "2026:01:31 12:00:00 and more", "", "99999999999999999999",
  ])
  func `a senseless date is none`(moment: String) throws {
    #expect(try recognize(DatedPicture.jpeg(DatedPicture.exif(moment)))?.capturedAt == nil)
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
    #expect(content?.capturedAt == nil)
  }
}
