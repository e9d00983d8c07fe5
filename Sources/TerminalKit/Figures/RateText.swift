/// A speed: `12.3 MB/s`, `568/s`.
package struct RateText: CustomStringConvertible, Sendable {
  /// The text.
  package let description: String

  /// Formats bytes per time; `nil` if no time has passed.
  package init?(byteCount: Int64, over duration: Duration) {
    guard let rate = Self.rate(of: Double(byteCount), over: duration) else { return nil }
    description = "\(ByteCountText(rate))/s"
  }

  /// Formats a count per time; `nil` if no time has passed.
  package init?(count: Int, over duration: Duration) {
    guard let rate = Self.rate(of: Double(count), over: duration) else { return nil }
    description = "\(rate)/s"
  }

  private static func rate(of amount: Double, over duration: Duration) -> Int64? {
    guard duration > .zero else { return nil }
    // Out of range only for times that no clock measures.
    return Int64(exactly: (amount / (duration / .seconds(1))).rounded())
  }
}
