import Foundation

/// What a line of the table must come to.
package enum Goal {
  /// Shown for comparison.
  case none
  /// At most so many times the other side.
  case ratio(atMost: Double)
  /// At least so many times faster than the other side.
  case faster(times: Double)
  /// At most so much, whatever the other side.
  case atMost(Quantity)
  /// At least so much.
  case atLeast(Quantity)
  /// Something else, which was found to be so or not.
  case condition(String, isMet: Bool)

  var text: String {
    switch self {
    case .none: "–"
    case .ratio(let most): "≤ \(Self.plain(most)) ×"
    case .faster(let times): "≥ \(Self.plain(times)) × faster"
    case .atMost(let most): "≤ \(most.text)"
    case .atLeast(let least): "≥ \(least.text)"
    case .condition(let words, _): words
    }
  }

  /// Whether it is met; `nil` where there is nothing to meet.
  func isMet(by ours: Quantity, ratio: Double?) -> Bool? {
    switch self {
    case .none: nil
    case .ratio(let most): ratio.map { $0 <= most }
    case .faster(let times): ratio.map { $0 * times <= 1 }
    case .atMost(let most): ours.value <= most.value
    case .atLeast(let least): ours.value >= least.value
    case .condition(_, let isMet): isMet
    }
  }

  /// Gives the goal room for an uneven machine.
  ///
  /// - Parameter factor: How many times as much a ratio may be.
  /// - Returns: The goal; `nil` for one that depends on the speed of the machine.
  func loosened(by factor: Double) -> Goal? {
    switch self {
    case .ratio(let most): .ratio(atMost: most * factor)
    case .faster(let times): .faster(times: times / factor)
    case .atMost(let most): most.unit == .seconds ? nil : self
    case .atLeast, .condition: self
    case .none: nil
    }
  }

  private static func plain(_ number: Double) -> String { String(format: "%g", number) }
}
