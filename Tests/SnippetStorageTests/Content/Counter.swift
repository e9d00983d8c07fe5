import Synchronization

/// A number that any thread may add to.
final class Counter: Sendable {
  private let count = Atomic(0)

  /// The sum of what was added.
  var value: Int { count.load(ordering: .relaxed) }

  /// Adds to the number.
  func add(_ amount: Int) {
    count.add(amount, ordering: .relaxed)
  }
}
