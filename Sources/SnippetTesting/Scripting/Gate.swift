import Dispatch
import SnippetBase

/// A door that opens once: everything before that waits, and everything later walks through.
///
/// Threads and tasks wait at the same gate, each in its own way.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var threads: [DispatchSemaphore] = []
    var tasks: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// Makes a closed gate.
  public init() {}

  /// Whether the gate is open.
  public var isOpen: Bool { state.withLock(\.isOpen) }

  /// Opens the gate, for good.
  public func open() {
    let waiting = state.withLock { state in
      defer { state = State(isOpen: true) }
      return state
    }
    for thread in waiting.threads { thread.signal() }
    for task in waiting.tasks { task.resume() }
  }

  /// Blocks the calling thread until the gate is open; never call it on one of Swift's own threads.
  public func blockUntilOpen() {
    let semaphore = DispatchSemaphore(value: 0)
    let mustWait = state.withLock { state in
      if !state.isOpen { state.threads.append(semaphore) }
      return !state.isOpen
    }
    if mustWait { semaphore.wait() }
  }

  /// Suspends the calling task until the gate is open.
  public func untilOpen() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.tasks.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}
