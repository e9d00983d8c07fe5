import Foundation

/// An amount of something, small or large.
struct Quantity: Encodable {
  enum Unit: String, Encodable {
    case seconds
    case bytes
    case percent
    case allocations
    /// Of the best that is possible.
    case share
  }

  let value: Double
  let unit: Unit

  init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  init(_ duration: Duration) {
    self.init(duration / .seconds(1), .seconds)
  }

  var text: String {
    switch unit {
    case .seconds: seconds
    case .bytes where value >= 1_000_000: String(format: "%.1f MB", value / 1_000_000)
    case .bytes: String(format: "%.2f B", value)
    case .percent: String(format: "%.2f %%", value)
    case .allocations: String(format: "%.2f", value)
    case .share: String(format: "%.3f", value)
    }
  }

  private var seconds: String {
    switch value {
    case ..<1e-6: String(format: "%.0f ns", value * 1e9)
    case ..<1e-3: String(format: "%.1f µs", value * 1e6)
    case ..<1: String(format: "%.2f ms", value * 1e3)
    default: String(format: "%.2f s", value)
    }
  }
}
