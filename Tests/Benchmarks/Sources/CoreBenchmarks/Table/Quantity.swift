import Foundation

/// An amount of something, small or large.
package struct Quantity: Encodable {
  package enum Unit: String, Encodable {
    case seconds
    case bytes
    case percent
    case allocations
    /// Of the best that is possible.
    case share
  }

  package let value: Double
  package let unit: Unit

  package init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  package init(_ duration: Duration) {
    self.init(duration / .seconds(1), .seconds)
  }

  package var text: String {
    switch unit {
    case .seconds: seconds
    case .bytes:
      value < 1e6 ? String(format: "%.2f B", value) : String(format: "%.1f MB", value / 1e6)
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
