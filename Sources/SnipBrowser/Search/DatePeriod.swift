import Foundation

/// A year, a month or a day, in the form that users write.
struct DatePeriod: Equatable {
  /// Its first moment.
  let start: Date
  /// The first moment after it.
  let end: Date

  /// Reads `2024`, `2024-03` or `2024-03-05`, in local time.
  ///
  /// - Parameters:
  ///   - text: The text; one that is not such a date gives `nil`.
  ///   - timeZone: The time zone. The default is the current one.
  init?(_ text: String, in timeZone: TimeZone = .current) {
    let parts = text.trimmingCharacters(in: .whitespaces)
      .split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].count == 4,
      parts.dropFirst().allSatisfy({ (1...2).contains($0.count) })
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let components = DateComponents(
      year: numbers[0],
      month: numbers.count > 1 ? numbers[1] : 1,
      day: numbers.count > 2 ? numbers[2] : 1
    )
    let unit: Calendar.Component = numbers.count > 2 ? .day : numbers.count > 1 ? .month : .year
    // A calendar turns the 30th of February into the 1st of March.
    guard components.isValidDate(in: calendar), let start = calendar.date(from: components),
      let end = calendar.date(byAdding: unit, value: 1, to: start)
    else { return nil }
    self.start = start
    self.end = end
  }
}
