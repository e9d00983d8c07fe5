import SnippetBase

/// What a screen on a terminal waits for.
package enum ScreenEvent: Hashable, Sendable {
  case terminal(TerminalEvent)
  /// The terminal has sent its last: it is gone.
  case inputEnded
  case resized
  /// Somebody asks the process to stop for a while.
  case suspended
  /// The process goes on after it was stopped.
  case resumed
  /// The process was asked to end.
  case interrupted
  /// Another frame may have come to look different.
  case changed
  /// A frame has been written, or could not be: then with the number of the error.
  case written(failure: Int32?)
  /// No key has come since the one with this number.
  case rested(after: Int)
}

/// The events that have not been dealt with, from any thread, for one who waits for them.
package final class ScreenEvents: Sendable {
  private struct State {
    var events: [ScreenEvent] = []
    var waiting: CheckedContinuation<[ScreenEvent], Never>?
  }

  private let state = Lock(State())

  package init() {}

  /// Adds an event; one that waits already is not added a second time in a row.
  package func post(_ event: ScreenEvent) {
    let waiting = state.withLock { state -> CheckedContinuation<[ScreenEvent], Never>? in
      let isRepeated = event == .changed && state.events.last == event
      if !isRepeated { state.events.append(event) }
      return state.waiting.take()
    }
    guard let waiting else { return }
    waiting.resume(returning: take())
  }

  /// Waits until there are events, and takes all of them; there is one at a time who waits.
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
