import Foundation
import Synchronization

/// A place where one thread waits for a number from another.
package final class NumberGate: Sendable {
  private let number = Mutex(0)
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  /// Hands the number over and lets the waiting thread continue.
  package func open(with number: Int = 0) {
    self.number.withLock { $0 = number }
    semaphore.signal()
  }

  /// Waits until the gate is opened.
  @discardableResult
  package func wait() -> Int {
    semaphore.wait()
    return number.withLock { $0 }
  }
}
