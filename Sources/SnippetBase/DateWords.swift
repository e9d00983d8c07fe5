package import Foundation

/// Reads dates as people write them in a query or after an option.
///
/// Most dates stand for a period: `2024` for a year, `2024-03` for a month, `2024-03-01`, `today`
/// and `yesterday` for a day. `3d`, `2w`, `6m` and `1y` stand for the day that many days, weeks,
/// months or years ago. `12h` is a moment, and so is a date with a time, `2024-03-01T18:30`, with
/// or without seconds, a fraction of up to three digits and a time zone, `Z` or `+01:00`. Dates may
/// use slashes instead of hyphens.
package struct DateWords: Sendable {
  private let now: Date
  private let calendar: Calendar

  /// Makes a reader of dates, with the moment that `today` and the like count from, and the time
  /// zone in which days begin.
  package init(now: Date = Date(), timeZone: TimeZone = .current) {
    self.now = now
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = timeZone
    self.calendar = calendar
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
      default: ago(text) ?? stretch(text) ?? moment(text).map { $0..<$0 }
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

  /// Reads a year, a month or a day.
  private func stretch(_ text: String) -> Range<Date>? {
    guard let parts = Self.dateParts(text[...]), let start = date(parts) else { return nil }
    return stretch(of: [.year, .month, .day][parts.count - 1], at: start)
  }

  private func stretch(of unit: Calendar.Component, at date: Date) -> Range<Date>? {
    calendar.dateInterval(of: unit, for: date).map { $0.start..<$0.end }
  }

  /// Reads a day with a time.
  private func moment(_ text: String) -> Date? {
    let parts = text.split(separator: "t", omittingEmptySubsequences: false)
    guard parts.count == 2, let day = Self.dateParts(parts[0]), day.count == 3 else { return nil }
    var time = parts[1]
    var zone: TimeZone?
    if time.last == "z" {
      zone = TimeZone(secondsFromGMT: 0)
      time = time.dropLast()
    } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let offset = time[time.index(after: sign)...].split(separator: ":").map {
        Self.number($0, digits: 2...2)
      }
      guard offset.count == 2, let hours = offset[0], let minutes = offset[1], hours < 24,
        minutes < 60
      else { return nil }
      let seconds = hours * 3600 + minutes * 60
      zone = TimeZone(secondsFromGMT: time[sign] == "-" ? -seconds : seconds)
      time = time[..<sign]
    }
    let pieces = time.split(separator: ".", omittingEmptySubsequences: false)
    let clock = pieces[0].split(separator: ":", omittingEmptySubsequences: false).map {
      Self.number($0, digits: 2...2)
    }
    guard (2...3).contains(clock.count), pieces.count == 1 || pieces.count == 2 && clock.count == 3,
      let hour = clock[0], let minute = clock[1], hour < 24, minute < 60
    else { return nil }
    let second = clock.count == 3 ? clock[2] : 0
    guard let second, second < 60 else { return nil }
    var fraction = 0
    if pieces.count == 2 {
      guard let digits = Self.number(pieces[1], digits: 1...3) else { return nil }
      fraction = digits * [100, 10, 1][pieces[1].count - 1]
    }
    return date(day, hour, minute, second, in: zone)?.addingTimeInterval(Double(fraction) / 1000)
  }

  /// Returns the start of a day or minute; `nil` if it does not exist, such as February 30.
  private func date(
    _ day: [Int],
    _ hour: Int = 0,
    _ minute: Int = 0,
    _ second: Int = 0,
    in zone: TimeZone? = nil
  ) -> Date? {
    var calendar = calendar
    if let zone { calendar.timeZone = zone }
    let month = day.count > 1 ? day[1] : 1
    let number = day.count > 2 ? day[2] : 1
    guard day[0] >= 1, (1...12).contains(month),
      let first = calendar.date(from: DateComponents(year: day[0], month: month, day: 1)),
      let days = calendar.range(of: .day, in: .month, for: first), days.contains(number)
    else { return nil }
    return calendar.date(
      from: DateComponents(
        year: day[0],
        month: month,
        day: number,
        hour: hour,
        minute: minute,
        second: second
      )
    )
  }

  /// Reads a year, optionally with a month, or with a month and a day.
  private static func dateParts(_ text: Substring) -> [Int]? {
    let separator: Character = text.contains("/") ? "/" : "-"
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let year = number(parts[0], digits: 4...4) else {
      return nil
    }
    let others = parts.dropFirst().compactMap { number($0, digits: 1...2) }
    return others.count == parts.count - 1 ? [year] + others : nil
  }

  private static func number(_ digits: Substring, digits count: ClosedRange<Int>) -> Int? {
    guard count.contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }
}
