import Foundation

/// A date and time in the form of cameras and recorders.
enum WrittenMoment {
  /// Reads a date and time.
  ///
  /// - Parameters:
  ///   - text: Six numbers in 19 characters, such as `2026:01:31 12:00:00`, with anything between
  ///     them.
  ///   - zone: The time zone, such as `+01:00`, `+0100` or `Z`. If it is missing or invalid, the
  ///     zone of this machine is used.
  /// - Returns: The date; `nil` if the text is not one.
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
