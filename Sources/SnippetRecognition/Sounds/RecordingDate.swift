import Foundation

/// The time at which something was recorded, as the recording program wrote it.
enum RecordingDate {
  // Some programs count from 1970 instead of 1904, which gives a time before 1970.
  private static let earliest = Date(timeIntervalSince1970: 0)
  private static let latest = Date(timeIntervalSince1970: 253_402_300_799)
  private static let secondsFrom1904: UInt64 = 2_082_844_800

  /// Returns a date if it is plausible.
  ///
  /// - Parameter date: The date in a file.
  /// - Returns: The date; `nil` up to the beginning of 1970 and after the year 9999.
  static func believed(_ date: Date) -> Date? {
    date > earliest && date <= latest ? date : nil
  }

  /// Converts seconds since the beginning of 1904, which QuickTime counts; zero means unknown.
  static func date(secondsSince1904 seconds: UInt64) -> Date? {
    guard seconds > secondsFrom1904 else { return nil }
    return believed(Date(timeIntervalSince1970: Double(seconds - secondsFrom1904)))
  }

  /// Reads a date such as `2026-01-31T12:00:00Z` or `2026-01-31`.
  ///
  /// - Parameter text: The date. Without a zone it is in the zone of this machine. A year alone is
  ///   ignored, because it is the year in which a song was published.
  /// - Returns: The date; `nil` if the text is not one.
  static func date(_ text: String) -> Date? {
    let text = text.trimmingCharacters(in: .whitespaces)
    if text.utf8.count == 10 {
      return WrittenMoment.date(text + "T00:00:00", zone: nil).flatMap(believed)
    }
    // A fraction of a second may precede the zone.
    let zone = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
    return WrittenMoment.date(text.prefix(19), zone: zone.isEmpty ? nil : zone).flatMap(believed)
  }
}
