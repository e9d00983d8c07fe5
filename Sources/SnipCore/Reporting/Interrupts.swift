import Foundation
import SnippetBase
package import TerminalKit

/// Requests of the user or the system to end this program: Ctrl-C, SIGTERM and SIGHUP.
///
/// The first signal only asks: actions are run, and long work that checks
/// ``throwIfRequested()`` stops where nothing is lost. The second one, or the first after
/// ``endAtFirstRequest()``, ends the process at once, with the status of an interruption.
package final class Interrupts: Sendable {
  private struct State {
    var isRequested = false
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
  /// - Parameter body: Runs as long as that program does. Its argument has the signals that this
  ///   process ignores and that program should not.
  /// - Returns: The result of `body`.
  /// - Throws: Errors of `body`.
  package func lendingKeyboard<Result>(_ body: ([Int32]) throws -> Result) rethrows -> Result {
    // A signal that this process was started to ignore is not that program's either.
    let signals = SignalWatch.isIgnored(SIGINT) ? [] : [SIGINT]
    // The system drops the signal. A handler might run only after the other program has ended.
    let handler = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, handler) }
    return try body(signals)
  }

  /// Ends long work at a point where nothing is lost.
  ///
  /// - Throws: ``InterruptedError`` if the program was asked to end.
  package func throwIfRequested() throws(InterruptedError) {
    if isRequested { throw InterruptedError() }
  }

  /// Waits for a task, or until the program is asked to end; the task is then cancelled and not
  /// awaited.
  ///
  /// - Parameter task: The task.
  /// - Returns: The result of the task.
  /// - Throws: Errors of the task; ``InterruptedError`` if the program was asked to end.
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

  /// Asks the program to end; the second request ends it.
  package func request() {
    if !ask() { endProcess() }
  }

  /// Asks the program to end, if that was not done before.
  ///
  /// At the end of a terminal, the system and the shell both say so.
  package func hangUp() {
    ask()
  }

  /// Runs the actions, unless they were run before; tells whether it did.
  @discardableResult
  private func ask() -> Bool {
    let actions = state.withLock { state -> [@Sendable () -> Void]? in
      guard !state.isRequested else { return nil }
      state.isRequested = true
      defer { state.actions = [] }
      return state.actions
    }
    guard let actions else { return false }
    for action in actions { action() }
    return true
  }
}

extension SignalWatch {
  /// Starts watching for signals; it sees every signal sent after this has returned.
  ///
  /// A signal that the process was started to ignore, as by `nohup`, stays ignored.
  ///
  /// - Parameter interrupts: The requests to make on a signal.
  package convenience init(_ interrupts: Interrupts) {
    self.init([SIGINT, SIGTERM, SIGHUP]) { number in
      number == SIGHUP ? interrupts.hangUp() : interrupts.request()
    }
  }
}
