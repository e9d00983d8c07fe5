import SnippetBase

/// An event that a screen on a terminal waits for.
package enum ScreenEvent: Hashable, Sendable {
  case terminal(TerminalEvent)
  /// The terminal is gone.
  case inputEnded
  case resized
  /// The process was asked to stop for a while.
  case suspended
  /// The process continues after a stop.
  case resumed
  /// The process was asked to end.
  case interrupted
  /// The content of the screen may have changed.
  case changed
  /// A frame has been written; with an error number if that failed.
  case written(failure: Int32?)
  /// No key was pressed since the one with this number.
  case rested(after: Int)
}

/// A queue of events from any thread, for a single consumer.
package final class ScreenEvents: Sendable {
  private struct State {
    var events: [ScreenEvent] = []
    var waiting: CheckedContinuation<[ScreenEvent], Never>?
  }

  private let state = Lock(State())

  package init() {}

  /// Adds an event; a repeated `changed` is dropped.
  package func post(_ event: ScreenEvent) {
    let waiting = state.withLock { state -> CheckedContinuation<[ScreenEvent], Never>? in
      let isRepeated = event == .changed && state.events.last == event
      if !isRepeated { state.events.append(event) }
      return state.waiting.take()
    }
    guard let waiting else { return }
    waiting.resume(returning: take())
  }

  /// Waits until there are events, and takes all of them.
  ///
  /// Only one task may wait at a time.
  package func next() async -> [ScreenEvent] {
    await withCheckedContinuation { continuation in
      let events = state.withLock { state in
        if state.events.isEmpty { state.waiting = continuation }
        defer { state.events = [] }
        return state.events
      }
      if !events.isEmpty { continuation.resume(returning: events) }
    }
  }

  private func take() -> [ScreenEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }
}
