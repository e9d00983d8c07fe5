import Dispatch

/// Passes events to a handler, one after the other in order, on a queue of its own.
///
/// You may send an event while holding any lock: the handler never runs inside that call, so it may
/// call anything. If it is too slow, the newest events are dropped and counted.
package final class EventRelay<Event: Sendable>: Sendable {
  private struct State {
    var waiting: [(event: Event, lostCount: Int)] = []
    /// The number of events dropped since the last waiting one.
    var lostCount = 0
    var isDelivering = false
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
    let mustBegin = state.withLock { state in
      guard state.waiting.count < capacity else {
        state.lostCount += 1
        return false
      }
      state.waiting.append((event, state.lostCount))
      state.lostCount = 0
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    if mustBegin { queue.async { [self] in deliver() } }
  }

  /// Waits until the handler has received all earlier events.
  ///
  /// Work started by the handler may await this, but the handler itself may not.
  package func flush() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }

  private func deliver() {
    while true {
      let events = state.withLock { state in
        defer { state.waiting = [] }
        state.isDelivering = !state.waiting.isEmpty
        return state.waiting
      }
      guard !events.isEmpty else { return }
      for (event, lostCount) in events { handler(event, lostCount) }
    }
  }
}
