import Foundation

/// Dates as people read them in tables, and as programs read them in JSON.
enum DateText {
  /// Shows a date in local time, to the minute, always 16 characters wide: `2025-11-21 09:01`.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - timeZone: The time zone. The default is the current one.
  /// - Returns: The text.
  static func short(_ date: Date, in timeZone: TimeZone = .current) -> String {
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone)
      .year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
    // The style has no time without seconds.
    return String(date.formatted(style).dropLast(":00".count))
  }

  /// Shows a date in UTC as ISO 8601 with milliseconds: `2025-11-21T09:01:02.345Z`.
  static func iso8601(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let seconds = (milliseconds / 1000).rounded(.down)
    let fraction = Int(milliseconds - seconds * 1000)
    // Whole seconds are exact, so the style cannot cut a millisecond off the fraction.
    let whole = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    let digits = "00\(fraction)".suffix(3)
    return "\(whole.dropLast()).\(digits)Z"
  }
}
