import Synchronization

/// A number that any thread may increase.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  /// The sum of all additions.
  package var value: Int { count.load(ordering: .relaxed) }

  /// Adds to the number.
  package func add(_ amount: Int) {
    count.add(amount, ordering: .relaxed)
  }
}
