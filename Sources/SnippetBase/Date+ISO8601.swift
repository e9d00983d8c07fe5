package import Foundation

extension Date {
  /// The date in UTC as ISO 8601 with milliseconds: `2025-11-21T09:01:02.345Z`.
  package var iso8601Milliseconds: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    appendISO8601Milliseconds(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same as bytes.
  package func appendISO8601Milliseconds(to bytes: inout [UInt8]) {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    if let exact = Int64(exactly: milliseconds), let time = CivilTime(milliseconds: exact) {
      return time.appendISO8601(to: &bytes)
    }
    let seconds = (milliseconds / 1000).rounded(.down)
    let fraction = Int(milliseconds - seconds * 1000)
    // Whole seconds are exact, so formatting cannot lose a millisecond.
    let whole = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    let digits = "00\(fraction)".suffix(3)
    bytes += "\(whole.dropLast()).\(digits)Z".utf8
  }

  /// Parses the form of ``iso8601Milliseconds``; anything else gives `nil`.
  package init?(iso8601Milliseconds text: String) {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, parts[1].count == 4, parts[1].last == "Z",
      let fraction = Int(parts[1].dropLast()),
      // A text that is not a date is an answer, not a failure.
      let whole = try? Date("\(parts[0])Z", strategy: .iso8601)
    else { return nil }
    self.init(timeIntervalSince1970: whole.timeIntervalSince1970 + Double(fraction) / 1000)
    guard iso8601Milliseconds == text else { return nil }
  }
}
