package import Foundation

/// Reads dates as people write them in a query or after an option.
///
/// Most dates stand for a period: `2024` for a year, `2024-03` for a month, `2024-03-01`, `today`
/// and `yesterday` for a day. `3d`, `2w`, `6m` and `1y` stand for the day that many days, weeks,
/// months or years ago. `12h` is a moment, and so is a date with a time, `2024-03-01T18:30`. Both
/// may be in any form that ``WrittenDate`` reads.
package struct DateWords: Sendable {
  private let now: Date
  private let timeZone: TimeZone?

  /// Makes a reader of dates, with the moment that `today` and the like count from, and the time
  /// zone in which days begin: that of the system by default.
  package init(now: Date = Date(), timeZone: TimeZone? = nil) {
    self.now = now
    self.timeZone = timeZone
  }

  // Made for each date: most queries have none, and the system's time zone takes half a millisecond
  // to find.
  private var calendar: Calendar {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = timeZone ?? .current
    return calendar
  }

  /// Returns the period that a date stands for, empty for a moment; `nil` unless the text is a date
  /// of the years 1 to 9999.
  package func period(_ text: String) -> Range<Date>? {
    let text = text.lowercased()
    guard text.utf8.count <= 40 else { return nil }
    let period =
      switch text {
      case "today": day(before: 0, .day)
      case "yesterday": day(before: 1, .day)
      default: ago(text) ?? written(text)
      }
    // A calendar also counts years that no snippet can have. The bounds leave some days for time
    // zones and for the calendar of the first years.
    guard let period, period.lowerBound.timeIntervalSince1970 >= -62_136_000_000,
      period.upperBound.timeIntervalSince1970 <= 253_402_700_000
    else { return nil }
    return period
  }

  /// Examples for messages.
  package static let examples = "2024, 2024-03, 2024-03-01, yesterday, 3d or 2w"

  private func ago(_ text: String) -> Range<Date>? {
    guard let unit = text.last, let count = Self.number(text.dropLast(), digits: 1...5) else {
      return nil
    }
    switch unit {
    case "h":
      let moment = now.addingTimeInterval(-3600 * Double(count))
      return moment..<moment
    case "d": return day(before: count, .day)
    case "w": return day(before: 7 * count, .day)
    case "m": return day(before: count, .month)
    case "y": return day(before: count, .year)
    default: return nil
    }
  }

  private func day(before count: Int, _ unit: Calendar.Component) -> Range<Date>? {
    guard let day = calendar.date(byAdding: unit, value: -count, to: now) else { return nil }
    return stretch(of: .day, at: day)
  }

  /// Reads a date with or without a time.
  private func written(_ text: String) -> Range<Date>? {
    guard let date = WrittenDate(text), let start = date.moment(in: calendar.timeZone) else {
      return nil
    }
    guard date.time == nil else { return start..<start }
    switch date.precision {
    case .year: return stretch(of: .year, at: start)
    case .month: return stretch(of: .month, at: start)
    case .day: return stretch(of: .day, at: start)
    }
  }

  private func stretch(of unit: Calendar.Component, at date: Date) -> Range<Date>? {
    calendar.dateInterval(of: unit, for: date).map { $0.start..<$0.end }
  }

  private static func number(_ digits: Substring, digits count: ClosedRange<Int>) -> Int? {
    guard count.contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }
}
