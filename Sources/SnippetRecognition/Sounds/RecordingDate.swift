import Foundation

/// When something was recorded, as the program that did it wrote it.
enum RecordingDate {
  // Some programs count from 1970 where they should from 1904, which gives a time before it.
  private static let earliest = Date(timeIntervalSince1970: 0)
  private static let latest = Date(timeIntervalSince1970: 253_402_300_799)
  private static let secondsFrom1904: UInt64 = 2_082_844_800

  /// Takes a date that can be one.
  ///
  /// - Parameter date: What a file says.
  /// - Returns: `nil` for one up to the beginning of 1970, and for one after the year 9999.
  static func believed(_ date: Date) -> Date? {
    date > earliest && date <= latest ? date : nil
  }

  /// Takes the seconds since the beginning of 1904 that QuickTime counts; zero says nothing.
  static func date(secondsSince1904 seconds: UInt64) -> Date? {
    guard seconds > secondsFrom1904 else { return nil }
    return believed(Date(timeIntervalSince1970: Double(seconds - secondsFrom1904)))
  }

  /// Reads a date such as `2026-01-31T12:00:00Z` or `2026-01-31`.
  ///
  /// - Parameter text: The date. Without a zone it is one of this machine's; a year alone tells
  ///   when a song came out, not when something was recorded.
  /// - Returns: `nil` for anything else.
  static func date(_ text: String) -> Date? {
    let text = text.trimmingCharacters(in: .whitespaces)
    if text.utf8.count == 10 {
      return WrittenMoment.date(text + "T00:00:00", zone: nil).flatMap(believed)
    }
    // A fraction of a second may stand before the zone.
    let zone = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
    return WrittenMoment.date(text.prefix(19), zone: zone.isEmpty ? nil : zone).flatMap(believed)
  }
}
