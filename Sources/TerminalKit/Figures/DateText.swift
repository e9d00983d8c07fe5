package import Foundation
import SnippetBase

/// Dates as people read them in tables.
package enum DateText {
  /// Formats a date in local time, to the minute, always 16 characters wide: `2025-11-21 09:01`.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - timeZone: The time zone. The default is the current one.
  /// - Returns: The text.
  package static func short(_ date: Date, in timeZone: TimeZone = .current) -> String {
    let offset = Int64(timeZone.secondsFromGMT(for: date)) * 1000
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
    // A store that another program has changed may hold any number.
    if let exact = Int64(exactly: milliseconds), exact.magnitude < 1 << 60,
      let time = CivilTime(milliseconds: exact + offset)
    {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(16)
      time.appendMinute(separator: UInt8(ascii: " "), to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone)
      .year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
    // The style offers no time without seconds.
    return String(date.formatted(style).dropLast(":00".count))
  }
}
