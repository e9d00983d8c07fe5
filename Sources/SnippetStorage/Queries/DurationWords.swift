/// Reads lengths of recordings as people write them: `>5m`, `<=90`, `1m..2m`, `1:30`, `0.5s`.
///
/// A length in whole seconds stands for every length that rows show so: they round to the second, and
/// show one of less than a second as one.
enum DurationWords {
  /// The lengths that a word stands for, in milliseconds.
  private typealias Lengths = ClosedRange<Int64>

  /// Returns the bounds that a text describes; `nil` if it describes none.
  static func bounds(_ text: String) -> [QueryExpression.Condition]? {
    if let dots = text.firstRange(of: "..") {
      guard let least = lengths(text[..<dots.lowerBound]),
        let most = lengths(text[dots.upperBound...]), least.lowerBound <= most.upperBound
      else { return nil }
      return [.durationFrom(least.lowerBound), .durationTo(most.upperBound)]
    }
    let sign = text.prefix { "<>=".contains($0) }
    guard let lengths = lengths(text[sign.endIndex...]) else { return nil }
    switch sign {
    case ">": return [.durationFrom(lengths.upperBound + 1)]
    case ">=": return [.durationFrom(lengths.lowerBound)]
    case "<": return [.durationTo(lengths.lowerBound - 1)]
    case "<=": return [.durationTo(lengths.upperBound)]
    case "", "=": return [.durationFrom(lengths.lowerBound), .durationTo(lengths.upperBound)]
    default: return nil
    }
  }

  // MARK: - Reading

  /// More than any recording has, in seconds: a hundred million years.
  private static let most = 3e15

  private static func lengths(_ text: Substring) -> Lengths? {
    let text = text.lowercased()
    if let milliseconds = text.wholeMatch(of: /([0-9]{1,18})ms/) {
      return Int64(milliseconds.1).map { $0...$0 }
    }
    guard let seconds = clock(text) ?? sum(text), seconds <= most else { return nil }
    guard seconds == seconds.rounded(.down) else {
      let milliseconds = Int64((seconds * 1000).rounded())
      return milliseconds...milliseconds
    }
    return shown(as: Int64(seconds))
  }

  /// The lengths that rows show as some seconds.
  private static func shown(as seconds: Int64) -> Lengths {
    switch seconds {
    case 0: 0...0
    case 1: 1...1499
    default: seconds * 1000 - 500...seconds * 1000 + 499
    }
  }

  /// Reads seconds as a clock shows them, as in `1:30` and `1:02:03`.
  private static func clock(_ text: String) -> Double? {
    guard let match = text.wholeMatch(of: /(?:([0-9]{1,6}):)?([0-9]{1,6}):([0-5][0-9])/) else {
      return nil
    }
    let (hours, minutes, seconds) = (Double(match.1 ?? "0"), Double(match.2), Double(match.3))
    guard let hours, let minutes, let seconds else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }

  /// Reads numbers with units, the largest first, as in `1h30m`; one without a unit is in seconds.
  private static func sum(_ text: String) -> Double? {
    if let seconds = number(text[...]) { return seconds }
    var (rest, total, last) = (text[...], 0.0, Double.infinity)
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      rest = rest[digits.endIndex...]
      let unit = rest.prefix { $0.isLetter }
      rest = rest[unit.endIndex...]
      guard let number = number(digits), let factor = units[String(unit)], factor < last else {
        return nil
      }
      total += number * factor
      last = factor
    }
    return last < .infinity ? total : nil
  }

  private static func number(_ digits: Substring) -> Double? {
    guard digits.utf8.count <= 30, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      digits.first?.isNumber == true, digits.last?.isNumber == true
    else { return nil }
    return Double(digits)
  }

  private static let units: [String: Double] = [
    "h": 3600, "hour": 3600, "hours": 3600, "m": 60, "min": 60, "minute": 60, "minutes": 60,
    "s": 1, "sec": 1, "second": 1, "seconds": 1,
  ]

  // MARK: - Writing

  /// Writes a bound from below.
  static func text(from least: Int64) -> String {
    if least > 1000, least % 1000 == 500 {
      let (above, first) = (least / 1000, least / 1000 + 1)
      return above % 60 == 0 && above > 0 ? ">\(text(above))" : ">=\(text(first))"
    }
    return switch least {
    case 0: ">=0s"
    case 1: ">0s"
    default: ">=\(max(least, 0))ms"
    }
  }

  /// Writes a bound from above.
  static func text(to most: Int64) -> String {
    if most > 1000, most % 1000 == 499 {
      let (last, below) = (most / 1000, most / 1000 + 1)
      return below % 60 == 0 ? "<\(text(below))" : "<=\(text(last))"
    }
    return switch most {
    case ..<0: "<0s"
    case 0: "<=0s"
    default: "<=\(most)ms"
    }
  }

  /// Writes seconds in the largest unit that divides them.
  private static func text(_ seconds: Int64) -> String {
    if seconds % 3600 == 0 { return "\(seconds / 3600)h" }
    return seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
  }
}
