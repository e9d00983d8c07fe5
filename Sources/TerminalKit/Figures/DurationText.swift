/// The length of a recording, or the remaining time, as players show it: `0:14`, `1:02:03`.
///
/// Rounded to the second; anything longer than zero is at least `0:01`.
package struct DurationText: CustomStringConvertible, Sendable {
  /// The text.
  package let description: String

  /// Formats a duration; a negative one gives `0:00`.
  package init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let rounded = attoseconds >= 500_000_000_000_000_000 ? seconds + 1 : seconds
    let shown = duration > .zero ? max(1, rounded) : 0
    let (hours, minutes) = (shown / 3600, shown / 60 % 60)
    let tail = Self.twoDigits(shown % 60)
    description =
      hours > 0 ? "\(hours):\(Self.twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
