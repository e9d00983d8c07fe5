import Foundation
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
