import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// The evidence of a date that counts.
struct DateEvidenceTests {
  private static let taken = Date(timeIntervalSince1970: 1_577_934_245)

  private func best(_ dates: [(DateEvidence.Source, Date)]) -> Date? {
    var evidence = DateEvidence()
    for (source, date) in dates { evidence.add(source, date) }
    return evidence.best
  }

  @Test(arguments: [-14, 0, 12] as [TimeInterval])
  func `a camera counts more than a library that repeats it in another zone`(hours: TimeInterval) {
    let repeated = Self.taken.addingTimeInterval(hours * 3600)

    #expect(best([(.libraryTaken, repeated), (.exifTaken, Self.taken)]) == Self.taken)
  }

  @Test func `a correction in a library counts more than the clock of a camera`() {
    let corrected = Self.taken.addingTimeInterval(-3 * 86_400)

    #expect(best([(.libraryTaken, corrected), (.exifTaken, Self.taken)]) == corrected)
  }

  @Test func `a library counts more than the moment of a scan and the name of a file`() {
    let scanned = Self.taken.addingTimeInterval(3600)

    let dates: [(DateEvidence.Source, Date)] = [
      (.libraryTaken, Self.taken), (.exifDigitized, scanned), (.fileName, scanned),
    ]
    #expect(best(dates) == Self.taken)
  }

  @Test func `the moment of an upload counts more than the date of a file alone`() {
    let other = Self.taken.addingTimeInterval(3600)

    #expect(best([(.libraryAdded, Self.taken), (.file, other)]) == Self.taken)
    #expect(best([(.libraryAdded, Self.taken), (.fileName, other)]) == other)
  }

  @Test func `the name of a file counts more than its date, which may lend it the time`() throws {
    let written = try #require(CaptureDateTests.local(2024, 6, 3, 15, 30))
    let later = written + 3 * 86_400
    let day = try #require(FileNameDate("2024-06-03 Walk", isText: true, now: later)).date

    for (name, modifiedAt, best) in [
      ("2024-06-03 Walk.md", written, written), ("2024-06-03 Walk.md", later, day),
      ("Walk.md", later, later), ("Walk of 2024-06-03.md", later, later),
    ] as [(String, Date, Date)] {
      var evidence = DateEvidence()
      evidence.add(fileNamed: name, isText: true, modifiedAt: modifiedAt, now: later)
      #expect(evidence.best == best, "\(name)")
    }
  }

  @Test func `the moment of a position counts less than the other dates in EXIF`() {
    let other = Self.taken.addingTimeInterval(3600)

    #expect(best([(.exifLocated, other), (.exifChanged, Self.taken)]) == Self.taken)
    #expect(best([(.exifLocated, Self.taken), (.pngChanged, other)]) == Self.taken)
  }

  /// An EXIF block with a position alone, found at a time of three fractions.
  private func position(_ day: String, _ time: [UInt32]) -> [UInt8] {
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: UInt32) -> [UInt8] {
      little(tag) + little(type) + little(count) + little(value)
    }
    var bytes = ascii("II") + little(UInt16(42)) + little(UInt32(8)) + little(UInt16(1))
    bytes += entry(0x8825, 4, 1, 26) + zeros(4) + little(UInt16(2))
    bytes += entry(0x0007, 5, 3, 56)
    bytes += entry(0x001D, 2, 11, 80) + zeros(4)
    for number in time { bytes += little(number) }
    return bytes + ascii(day) + [0]
  }

  @Test func `a picture with the clock of satellites alone has their date, in UTC`() throws {
    func best(_ day: String, _ time: [UInt32]) throws -> Date? {
      try recognize(DatedPicture.jpeg(position(day, time)))?.dates.best
    }
    let time: [UInt32] = [10, 1, 11, 1, 1250, 100]
    let moment = Date(timeIntervalSince1970: 1_717_409_472.5)

    #expect(try best("2024:06:03", time) == moment)
    #expect(try best("2024-06-03", time) == moment)
    #expect(try best("2024:06:31", time) == nil)
    #expect(try best("0000:00:00", time) == nil)
    #expect(try best("2024:06:03", [10, 0, 11, 1, 12, 1]) == nil)
    #expect(try best("2024:06:03", [25, 1, 11, 1, 12, 1]) == nil)
  }

  @Test func `what a program says counts before all`() {
    let other = Self.taken.addingTimeInterval(30 * 86_400)

    #expect(best([(.draft, Self.taken), (.libraryTaken, other)]) == Self.taken)
  }

  @Test func `the first second of a clock and the future lose to any other date`() {
    let offset = TimeInterval(TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: 0)))
    let senseless = [
      Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -offset),
      Date(timeIntervalSince1970: 315_532_800), Date(timeIntervalSince1970: 4_070_908_800),
    ]
    for date in senseless {
      #expect(best([(.exifTaken, date), (.exifDigitized, Self.taken)]) == Self.taken)
      #expect(best([(.exifTaken, date), (.file, Self.taken)]) == Self.taken)
      #expect(best([(.libraryTaken, date), (.exifTaken, Self.taken)]) == Self.taken)
      #expect(best([(.exifTaken, date)]) == date)
      #expect(best([(.draft, date), (.exifTaken, Self.taken)]) == date)
    }
    let later = Date(timeIntervalSince1970: 315_532_801)
    #expect(best([(.exifTaken, later), (.file, Self.taken)]) == later)
  }
}
