package import Dispatch

/// Runs work that blocks, each piece on a thread that nothing else waits for.
///
/// As many serial queues as there is work at a time, made when they are first needed. A concurrent
/// queue would be simpler, but takes its threads from the pool that Swift's own tasks run on, and
/// on Linux that pool has no more threads than the machine has cores: work that blocks there would
/// stop both each other and every task. A serial queue is given a thread beyond that number.
package struct BlockingQueues: Sendable {
  private let idle = Lock<[DispatchQueue]>([])
  private let label: String
  private let qos: DispatchQoS

  /// Makes no queue yet.
  ///
  /// - Parameters:
  ///   - label: The name of the queues in a debugger.
  ///   - qos: How urgent the work is.
  package init(label: String, qos: DispatchQoS = .userInitiated) {
    self.label = label
    self.qos = qos
  }

  /// Runs a piece of work soon, outside of this call, at the same time as others.
  ///
  /// - Parameter work: May block for as long as it likes.
  package func async(_ work: @escaping @Sendable () -> Void) {
    let queue = idle.withLock { $0.popLast() } ?? makeQueue()
    queue.async { [idle] in
      work()
      idle.withLock { $0.append(queue) }
    }
  }

  private func makeQueue() -> DispatchQueue {
    DispatchQueue(label: label, qos: qos, autoreleaseFrequency: .workItem)
  }
}
