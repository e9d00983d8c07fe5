import CProcess
import Foundation
import SnippetBase

/// A program that runs beside this one and does not use its terminal.
package final class QuietProcess: Sendable {
  private struct State {
    /// The exit status; `nil` while the program runs.
    var status: Int32?
    var waiting: [CheckedContinuation<Int32, Never>] = []
  }

  private let process: pid_t
  private let state = Lock(State())

  /// Starts a program.
  ///
  /// - Parameter arguments: The path of the program, and its arguments.
  /// - Throws: ``TerminalJobError`` if it cannot be started.
  package init(_ arguments: [String]) throws(TerminalJobError) {
    var strings = arguments.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var process = pid_t()
    let error = snippet_quiet_start(&strings, &process)
    guard error == 0 else { throw TerminalJobError(number: error) }
    self.process = process
    OwnThreads.start { [self] in noteEnd() }
  }

  /// Asks the program and its process group to end; does nothing once it has ended.
  package func stop() {
    state.withLock { state in
      // Its number may be reused by then.
      if state.status == nil { kill(-process, SIGTERM) }
    }
  }

  /// Waits until the program has ended.
  ///
  /// - Returns: Its exit status; 128 plus the number of the signal that ended it.
  package func ended() async -> Int32 {
    await withCheckedContinuation { continuation in
      let status = state.withLock { state in
        if state.status == nil { state.waiting.append(continuation) }
        return state.status
      }
      if let status { continuation.resume(returning: status) }
    }
  }

  private func noteEnd() {
    _ = snippet_quiet_wait(process)
    let (status, waiting) = state.withLock { state in
      let status = snippet_quiet_take(process)
      let waiting = state.waiting
      state = State(status: status)
      return (status, waiting)
    }
    for continuation in waiting { continuation.resume(returning: status) }
  }
}
