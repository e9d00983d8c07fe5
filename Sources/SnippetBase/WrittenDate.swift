package import Foundation

/// A day of the calendar as people and programs write it, with a time and a zone if they are given.
///
/// Everything of this package that reads dates from files and their names reads them by this type.
package struct WrittenDate: Sendable, Equatable {
  /// The time of a day.
  package struct Time: Sendable, Equatable {
    package var hour: Int
    package var minute: Int
    package var second: Int
    /// The fraction of a second, from 0 to less than 1.
    package var fraction: Double

    /// Makes a time; `nil` unless a clock can show it, as 24:00 and the leap second 23:59:60.
    package init?(_ hour: Int, _ minute: Int, _ second: Int = 0, fraction: Double = 0) {
      guard (0...23).contains(hour) || (hour, minute, second) == (24, 0, 0),
        (0...59).contains(minute), (0...60).contains(second), (0..<1).contains(fraction)
      else { return nil }
      (self.hour, self.minute, self.second, self.fraction) = (hour, minute, second, fraction)
    }
  }

  /// The smallest part that is written.
  package enum Precision: Int, Sendable, Comparable {
    case year
    case month
    case day

    package static func < (left: Precision, right: Precision) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  package let year: Int
  package let month: Int
  package let day: Int
  /// The smallest part of the day that is written, aside from the time.
  package let precision: Precision
  package var time: Time?
  /// The zone in which it is that time; `nil` if none is written.
  package var zone: TimeZone?

  /// Makes a day; `nil` if the calendar has none such, as 30 February.
  ///
  /// Without a day, or a month, it is the first one.
  package init?(_ year: Int, _ month: Int? = nil, _ day: Int? = nil) {
    precision = month == nil ? .year : day == nil ? .month : .day
    let (month, day) = (month ?? 1, day ?? 1)
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.dayCount(of: month, in: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The earliest moment that a store keeps, and the first one that it does not.
  private static let seconds = -62_135_596_800.0..<253_402_300_800.0

  /// Returns the moment, or the beginning of the day if there is no time; `nil` if no store keeps
  /// it.
  ///
  /// `zone` is that of a date without one, by default that of this machine.
  package func date(in zone: TimeZone = .current) -> Date? {
    moment(in: zone).flatMap { Self.seconds.contains($0.timeIntervalSince1970) ? $0 : nil }
  }

  /// Returns the same, whether a store keeps it or not.
  package func moment(in zone: TimeZone) -> Date? {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = self.zone ?? zone
    let parts = DateComponents(
      year: year,
      month: month,
      day: day,
      hour: time?.hour ?? 0,
      minute: time?.minute ?? 0,
      second: time?.second ?? 0
    )
    return calendar.date(from: parts)?.addingTimeInterval(time?.fraction ?? 0)
  }

  /// Reads a date, or the seconds, milliseconds, microseconds or nanoseconds since the start of 1970
  /// in 9 or 10, 12 or 13, 15 or 16, 18 or 19 digits; `nil` if the text is neither, or can be read
  /// in two ways.
  package static func date(_ text: String, in zone: TimeZone = .current) -> Date? {
    if let written = WrittenDate(text) { return written.date(in: zone) }
    let text = text.trimmingCharacters(in: .whitespaces)
    guard text.utf8.count <= 32, text.utf8.first.map({ (0x30...0x39).contains($0) }) ?? false,
      text.utf8.allSatisfy({ "0123456789.eE+".utf8.contains($0) }), let number = Double(text)
    else { return nil }
    for (unit, count) in [(1.0, 9), (1e3, 12), (1e6, 15), (1e9, 18)] {
      let least = pow(10.0, Double(count - 1))
      guard (least..<least * 100).contains(number) else { continue }
      return Date(timeIntervalSince1970: number / unit)
    }
    return nil
  }

  private static func dayCount(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
