import Dispatch

/// Brings events to a handler, one after the other in their order, on a queue of its own.
///
/// Whoever sends may hold any lock: the handler never runs meanwhile, so it may call whatever it
/// likes. When it is too slow, the newest events wait in vain and are counted.
package final class EventRelay<Event: Sendable>: Sendable {
  private struct State {
    var waiting: [(event: Event, lostCount: Int)] = []
    /// Those since the last that waits.
    var lostCount = 0
    var isDelivering = false
  }

  private let handler: @Sendable (_ event: Event, _ lostCount: Int) -> Void
  private let capacity: Int
  private let queue: DispatchQueue
  private let state = Lock(State())

  /// Makes a relay.
  ///
  /// - Parameters:
  ///   - label: The name of the queue.
  ///   - capacity: The most events that wait for the handler. The default is 10,000.
  ///   - handler: Takes the events, each with how many were lost since the one before.
  package init(
    label: String,
    capacity: Int = 10_000,
    handler: @escaping @Sendable (_ event: Event, _ lostCount: Int) -> Void
  ) {
    self.handler = handler
    self.capacity = max(1, capacity)
    queue = DispatchQueue(label: label, qos: .utility, autoreleaseFrequency: .workItem)
  }

  /// Sends an event; the handler gets it soon.
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

  /// Waits until the handler has had all that was sent before.
  ///
  /// It may be awaited by the handler's own work, but not by the handler.
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
