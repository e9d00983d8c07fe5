import Foundation
import Testing

@testable import SnippetRecognition

struct FileNameDateTests {
  private static let now = Date(timeIntervalSince1970: 1_750_000_000)

  private func date(_ name: String, isText: Bool = false) -> Date? {
    FileNameDate(name, isText: isText, now: Self.now)?.date
  }

  @Test(arguments: [
    "IMG_20240603_101112", "IMG20240603101112", "20240603_101112", "20240603101112",
    "Screenshot 2024-06-03 at 10.11.12", "Screenshot_20240603-101112", "2024-06-03 10.11.12",
    "Screen Shot 2024-06-03 at 10.11.12\u{202F}AM", "signal-2024-06-03-101112",
    "signal-2024-06-03-10-11-12-345", "WhatsApp Image 2024-06-03 at 10.11.12 AM",
    "WhatsApp Audio 2024-06-03 at 10.11.12", "Bildschirmfoto 2024-06-03 um 10.11.12",
    "Capture d’écran 2024-06-03 à 10.11.12", "Screenshot from 2024-06-03 10-11-12",
    "photo_2024-06-03_10-11-12", "Screenshot_2024-06-03-10-11-12-123_com.android.chrome",
    "20240603 101112-4F3A", "Voice 240603_101112", "Recording_20240603_101112",
    "REC-20240603-101112",
    "VID_20240603_101112~2", "2024-06-03T10-11-12", "2024-06-03 10.11.12-1",
    "IMG_20240603_101112_HDR", "2024_0603_101112_001", "2024-6-3 10.11.12",
    "Scan 3 Jun 2024 at 10.11.12", "photo_1@03-06-2024_10-11-12",
  ])
  func `a day and a time in a name are those of the clock here`(name: String) throws {
    let found = try #require(date(name), "\(name)")
    let whole = Date(timeIntervalSince1970: found.timeIntervalSince1970.rounded(.down))
    #expect(whole == CaptureDateTests.local(2024, 6, 3, 10, 11, 12))
  }

  @Test(arguments: [
    "IMG-20240603-WA0001", "PTT-20240603-WA0003", "AUD-20240603-WA0007", "2024-06-03", "20240603",
    "scan 2024-06-03", "2024.06.03 Trip", "DSC_20240603", "2024_06_03", "20240603-Berlin 0012",
    "2024-6-3", "scan 2024-6-03",
  ])
  func `a day in a name is its beginning`(name: String) {
    #expect(date(name) == CaptureDateTests.local(2024, 6, 3))
  }

  @Test(arguments: [
    "Screenshot 2024-06-03 at 9.05.01\u{202F}PM", "WhatsApp Image 2024-06-03 at 9.05.01 PM",
    "Screenshot 2024-06-03 at 21.05.01",
  ])
  func `an hour may have one digit`(name: String) {
    #expect(date(name) == CaptureDateTests.local(2024, 6, 3, 21, 5, 1))
  }

  @Test(arguments: [
    ("20240603T101112Z", 1_717_409_472.0), ("IMG_20240603_101112Z", 1_717_409_472.0),
    ("2024-06-03T10-11-12+0200", 1_717_402_272.0), ("20240603_101112+02.00", 1_717_402_272.0),
    ("20240603T101112-0500", 1_717_427_472.0), ("2024-06-03T10.11.12.000Z note", 1_717_409_472.0),
  ])
  func `a zone behind a time counts`(name: String, seconds: Double) {
    #expect(date(name)?.timeIntervalSince1970 == seconds)
    #expect(date(name, isText: true)?.timeIntervalSince1970 == (name.first == "2" ? seconds : nil))
  }

  @Test func `some names are in UTC or count from 1970`() {
    let moment = Date(timeIntervalSince1970: 1_717_409_472.345)
    #expect(date("PXL_20240603_101112345") == moment)
    #expect(date("PXL_20240603_101112345.MP") == moment)
    #expect(date("FB_IMG_1717409472345") == moment)
    #expect(date("mmexport1717409472345") == moment)
    #expect(date("1717409472345") == moment)
  }

  @Test(arguments: [
    "IMG_1234", "DSC00042", "New Recording 12", "20241301", "2024-02-30", "invoice 123456789",
    "3-6-2024-6-3", "2024-6-31", "2024_0603", "scan 3 Jun 2024", "12345678", "99991231_101112",
    "IMG_20990603_101112", "v2024.13.45", "1234567890123456789", "",
    "0123456789012", "report 2024", "240603", "scan 03-06-2024_10-11-12", "03.06.2024.10.11",
    "a20240603b1".replacing("a20240603b1", with: "202406031"),
  ])
  func `other numbers are no dates`(name: String) {
    #expect(date(name) == nil)
  }

  @Test func `the name of a note begins with its date, and goes on with a blank or the like`() {
    let day = CaptureDateTests.local(2024, 6, 3)
    for name in [
      "2024-06-03", "20240603", "2024-06-03 Meeting", "2024-06-03-a-post", "2024_06_03", "2024-6-3",
      "2024-6-3 Meeting",
    ] {
      #expect(date(name, isText: true) == day, "\(name)")
    }
    let moment = CaptureDateTests.local(2024, 6, 3, 10, 11)
    for name in ["202406031011", "20240603101100 Idea", "2024-06-03 1011", "2024-06-03T10-11"] {
      #expect(date(name, isText: true) == moment, "\(name)")
    }
    for name in [
      "Plan for 2024-06-03", "v2024-06-03", "2024-06-03.5", "20240603abc", "1717409472345",
    ] {
      #expect(date(name, isText: true) == nil, "\(name)")
    }
  }

  @Test(arguments: [
    "Jun 3rd, 2024", "June 3rd, 2024", "June 3, 2024", "3rd June 2024", "03 Jun 2024",
    "Monday, June 3rd, 2024",
  ])
  func `a note may be named by nothing but its day, in words`(name: String) {
    #expect(date(name, isText: true) == CaptureDateTests.local(2024, 6, 3))
    #expect(date(name) == nil)
  }

  @Test(arguments: [
    "June 2024", "Jun 31st, 2024", "Jun 3rd, 2024 Meeting", "Plan for Jun 3rd, 2024", "June",
    "Jun 3rd", "Jun 3rd, 2099", "Jun 3rd, 1066", "2024-W09", "03.06.2024", "May", "",
  ])
  func `other words are no day`(name: String) {
    #expect(date(name, isText: true) == nil)
  }

  @Test func `a file that was written on the day of its name has the time too`() throws {
    let day = try #require(FileNameDate("IMG-20240603-WA0001", isText: false, now: Self.now))
    let written = try #require(CaptureDateTests.local(2024, 6, 3, 15, 30))

    #expect(day.date(refinedBy: written) == written)
    #expect(day.date(refinedBy: written + 86_400) == day.date)
    #expect(day.date(refinedBy: nil) == day.date)
    let exact = try #require(FileNameDate("20240603_101112", isText: false, now: Self.now))
    #expect(exact.date(refinedBy: written) == exact.date)
  }
}
