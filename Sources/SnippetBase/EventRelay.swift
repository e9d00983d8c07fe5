import Dispatch

/// Passes events to a handler, one after the other in order, on a queue of its own.
///
/// You may send an event while holding any lock: the handler never runs inside that call, so it may
/// call anything. If it is too slow, the newest events are dropped and counted.
package final class EventRelay<Event: Sendable>: Sendable {
  private struct State {
    var waitingCount = 0
    /// The number of events dropped since the last waiting one.
    var lostCount = 0
  }

  private let handler: @Sendable (_ event: Event, _ lostCount: Int) -> Void
  private let capacity: Int
  private let queue: DispatchQueue
  private let state = Lock(State())

  /// Makes a relay that keeps at most `capacity` events waiting.
  ///
  /// The handler receives each event with the number of events dropped before it.
  package init(
    label: String,
    capacity: Int = 10_000,
    handler: @escaping @Sendable (_ event: Event, _ lostCount: Int) -> Void
  ) {
    self.handler = handler
    self.capacity = max(1, capacity)
    queue = DispatchQueue(label: label, qos: .utility, autoreleaseFrequency: .workItem)
  }

  /// Sends an event, which the handler receives soon.
  package func send(_ event: Event) {
    state.withLock { state in
      guard state.waitingCount < capacity else {
        state.lostCount += 1
        return
      }
      state.waitingCount += 1
      let lostCount = state.lostCount
      state.lostCount = 0
      // Under the lock, so that the events come in the order of their counts.
      queue.async { [self] in
        self.state.withLock { $0.waitingCount -= 1 }
        handler(event, lostCount)
      }
    }
  }

  /// Waits until the handler has received all earlier events.
  ///
  /// Work started by the handler may await this, but the handler itself may not.
  package func flush() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }
}
