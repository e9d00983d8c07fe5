import Dispatch
import SnippetBase
import SnippetStorage

/// A door that opens once: who comes before waits, who comes later walks through.
///
/// Threads and tasks wait at the same gate, each in its own way.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var threads: [DispatchSemaphore] = []
    var tasks: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  package init() {}

  package var isOpen: Bool { state.withLock(\.isOpen) }

  package func open() {
    let waiting = state.withLock { state in
      defer { state = State(isOpen: true) }
      return state
    }
    for thread in waiting.threads { thread.signal() }
    for task in waiting.tasks { task.resume() }
  }

  /// Keeps the calling thread until the gate is open; never for a thread of Swift's own.
  package func blockUntilOpen() {
    let semaphore = DispatchSemaphore(value: 0)
    let mustWait = state.withLock { state in
      if !state.isOpen { state.threads.append(semaphore) }
      return !state.isOpen
    }
    if mustWait { semaphore.wait() }
  }

  /// Keeps the calling task until the gate is open.
  package func untilOpen() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.tasks.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}
