/// An elapsed time in the unit that suits it: `340 ns`, `1.2 ms`, `2.4 s`, `1:02:03`.
///
/// Values below 100 of a unit have one decimal, others none. Times of a minute or more have the
/// form of ``DurationText``.
package struct ElapsedText: CustomStringConvertible, Sendable {
  /// The text.
  package let description: String

  /// Formats a duration; a negative one gives `0 ns`.
  package init(_ duration: Duration) {
    // 59.95 seconds would be rounded to 60.0.
    guard duration < .milliseconds(59_950) else {
      description = DurationText(duration).description
      return
    }
    let (seconds, attoseconds) = duration.components
    let nanoseconds = max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    description = Self.text(ofNanoseconds: nanoseconds)
  }

  private static func text(ofNanoseconds nanoseconds: Int64) -> String {
    guard nanoseconds >= 1000 else { return "\(nanoseconds) ns" }
    var scale: Int64 = 1000
    for unit in ["µs", "ms"] {
      let tenths = (nanoseconds * 10 + scale / 2) / scale
      if tenths < 1000 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
      let ones = (nanoseconds + scale / 2) / scale
      if ones < 1000 { return "\(ones) \(unit)" }
      scale *= 1000
    }
    let tenths = (nanoseconds * 10 + scale / 2) / scale
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
