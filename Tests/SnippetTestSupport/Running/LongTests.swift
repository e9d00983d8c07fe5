import Foundation

/// The choice between all cases of a sweep and a share of them.
///
/// A share is drawn with the seed of the run, so that every case has its turn in time.
package enum LongTests {
  /// Whether sweeps try all of their cases: with `SNIP_LONG_TESTS` set.
  package static let isOn = ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil
}

extension Array {
  /// Draws some of the elements, and keeps their order.
  ///
  /// - Parameters:
  ///   - count: The most elements.
  ///   - generator: The random numbers.
  /// - Returns: The elements; all of them if there are no more, or if ``LongTests`` are on.
  package func share(_ count: Int, using generator: inout SeededGenerator) -> [Element] {
    guard !LongTests.isOn, self.count > count else { return self }
    return indices.shuffled(using: &generator).prefix(count).sorted().map { self[$0] }
  }
}
