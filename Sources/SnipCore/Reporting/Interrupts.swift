import Foundation
import SnippetBase
import SnippetStorage
package import TerminalKit

/// The wish of the user, or of the system, that this program ends: Ctrl-C and SIGTERM.
///
/// The first signal only asks: actions are run, and long work that checks
/// ``throwIfRequested()`` stops where nothing is lost. The second one, or the first after
/// ``endAtFirstRequest()``, ends the process at once, with the status of an interruption.
package final class Interrupts: Sendable {
  private struct State {
    var isRequested = false
    /// Whether the keyboard speaks to another program for now.
    var isKeyboardLent = false
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Lock(State())
  private let endProcess: @Sendable () -> Void

  /// Creates interrupts that no signal triggers yet.
  ///
  /// - Parameter endProcess: Ends the process at the second request.
  package init(endProcess: @escaping @Sendable () -> Void = Interrupts.endProcessAtOnce) {
    self.endProcess = endProcess
  }

  /// Ends this process with the status of an interruption, and leaves the terminal as it was.
  package static let endProcessAtOnce: @Sendable () -> Void = {
    TerminalDevice.leaveAtOnce()
    _exit(ExitStatus.interrupted.rawValue)
  }

  /// Whether the program was asked to end.
  package var isRequested: Bool { state.withLock(\.isRequested) }

  /// Runs an action at the first request, or at once if it has been made.
  ///
  /// - Parameter action: The action; it is run on any thread and should be short.
  package func whenRequested(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isRequested { state.actions.append(action) }
      return state.isRequested
    }
    if isLate { action() }
  }

  /// Makes the first request end the process at once.
  ///
  /// For work that loses nothing and leaves nothing behind when it ends, and that may wait forever
  /// for input or another program.
  package func endAtFirstRequest() {
    whenRequested(endProcess)
  }

  /// Leaves Ctrl-C to a program that has the terminal now, such as a pager.
  ///
  /// - Parameter body: What runs as long as that program does.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package func lendingKeyboard<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.isKeyboardLent = true }
    defer { state.withLock { $0.isKeyboardLent = false } }
    return try body()
  }

  /// Takes a signal for a request, unless it is a Ctrl-C that is meant for another program.
  package func take(_ signal: Int32) {
    if signal == SIGINT, state.withLock(\.isKeyboardLent) { return }
    request()
  }

  /// Ends long work at a point where it can be left.
  ///
  /// - Throws: ``InterruptedError`` if the program was asked to end.
  package func throwIfRequested() throws(InterruptedError) {
    if isRequested { throw InterruptedError() }
  }

  /// Waits for a task, or until the program is asked to end: then the task is cancelled, and not
  /// waited for.
  ///
  /// - Parameter task: The task.
  /// - Returns: What it returns.
  /// - Throws: What it throws; ``InterruptedError`` if the program was asked to end.
  package func value<Result: Sendable>(of task: Task<Result, any Error>) async throws -> Result {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let waiting = Lock<CheckedContinuation<Void, Never>?>(continuation)
      let goOn: @Sendable () -> Void = { waiting.withLock { $0.take() }?.resume() }
      whenRequested(goOn)
      Task {
        _ = await task.result
        goOn()
      }
    }
    if isRequested { task.cancel() }
    try throwIfRequested()
    return try await task.value
  }

  /// Asks the program to end; the second time, ends it.
  package func request() {
    let actions = state.withLock { state -> [@Sendable () -> Void]? in
      guard !state.isRequested else { return nil }
      state.isRequested = true
      defer { state.actions = [] }
      return state.actions
    }
    guard let actions else { return endProcess() }
    for action in actions { action() }
  }
}

extension SignalWatch {
  /// Starts watching; a signal sent after this has returned is seen.
  ///
  /// A signal that the process was started to ignore, as by `nohup`, stays ignored.
  ///
  /// - Parameters:
  ///   - interrupts: What the signals ask to end.
  ///   - signals: The signals. The default is those of Ctrl-C and `kill`.
  package convenience init(_ interrupts: Interrupts, signals: [Int32] = [SIGINT, SIGTERM]) {
    self.init(signals) { interrupts.take($0) }
  }
}
