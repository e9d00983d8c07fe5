package import Foundation

/// Dates as people read them in tables.
package enum DateText {
  /// Shows a date in local time, to the minute, always 16 characters wide: `2025-11-21 09:01`.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - timeZone: The time zone. The default is the current one.
  /// - Returns: The text.
  package static func short(_ date: Date, in timeZone: TimeZone = .current) -> String {
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone)
      .year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
    // The style has no time without seconds.
    return String(date.formatted(style).dropLast(":00".count))
  }
}
