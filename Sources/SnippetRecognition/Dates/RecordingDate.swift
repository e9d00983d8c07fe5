import Foundation
import SnippetBase

/// The time at which something was recorded, as the recording program wrote it.
enum RecordingDate {
  // Some programs count from 1970 instead of 1904, which gives a time before 1970.
  private static let earliest = Date(timeIntervalSince1970: 0)
  private static let latest = Date(timeIntervalSince1970: 253_402_300_799)
  private static let secondsFrom1904: UInt64 = 2_082_844_800

  /// Returns a date if it is plausible; `nil` up to the beginning of 1970 and after the year 9999.
  static func believed(_ date: Date) -> Date? {
    date > earliest && date <= latest ? date : nil
  }

  /// Converts seconds since the beginning of 1904, which QuickTime counts; zero means unknown.
  static func date(secondsSince1904 seconds: UInt64) -> Date? {
    guard seconds > secondsFrom1904 else { return nil }
    return believed(Date(timeIntervalSince1970: Double(seconds - secondsFrom1904)))
  }

  /// Whether a text is meant for a date; a clock that was never set writes zeros and blanks.
  static func isMeant(_ text: String) -> Bool {
    text.contains { character in
      ("1"..."9").contains(character) || character.isLetter && !"TZ".contains(character)
    }
  }

  /// Whether a text is meant for a date and is none, not even a year.
  static func isUnreadable(_ text: String) -> Bool { isMeant(text) && WrittenDate(text) == nil }

  /// Reads a date such as `2026-01-31T12:00:00Z` or `2026-01-31`; `nil` if the text is not one.
  ///
  /// Without a zone it is in the zone of this machine. A year or a month alone is ignored, because
  /// it is that in which a song was published.
  static func date(_ text: String) -> Date? {
    guard let written = WrittenDate(text), written.precision >= .day else { return nil }
    return written.date().flatMap(believed)
  }
}
