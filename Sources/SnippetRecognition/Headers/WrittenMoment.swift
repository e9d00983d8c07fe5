import Foundation

/// A date and time in the form of cameras and recorders.
enum WrittenMoment {
  /// Reads six numbers in 19 characters, such as `2026:01:31 12:00:00`, with anything between them;
  /// `nil` if they are no date.
  ///
  /// The zone is one such as `+01:00`, `+0100` or `Z`. If it is missing or invalid, that of this
  /// machine is used.
  static func date(_ text: Substring, zone: Substring?) -> Date? {
    guard text.utf8.count == 19 else { return nil }
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    // Cameras whose clock was never set write zeros.
    guard numbers.count == 6, (1826...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
      (1...31).contains(numbers[2]), (0...23).contains(numbers[3]),
      (0...59).contains(numbers[4]), (0...60).contains(numbers[5])
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone.flatMap(timeZone) ?? .current
    return calendar.date(
      from: DateComponents(
        year: numbers[0],
        month: numbers[1],
        day: numbers[2],
        hour: numbers[3],
        minute: numbers[4],
        second: numbers[5]
      )
    )
  }

  private static func timeZone(_ text: Substring) -> TimeZone? {
    if text == "Z" { return .gmt }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.utf8.count == 4, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = Int(digits), number / 100 < 24, number % 100 < 60
    else { return nil }
    let seconds = number / 100 * 3600 + number % 100 * 60
    return TimeZone(secondsFromGMT: sign == "-" ? -seconds : seconds)
  }
}

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

  /// Reads a date such as `2026-01-31T12:00:00Z` or `2026-01-31`; `nil` if the text is not one.
  ///
  /// Without a zone it is in the zone of this machine. A year alone is ignored, because it is the
  /// year in which a song was published.
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
