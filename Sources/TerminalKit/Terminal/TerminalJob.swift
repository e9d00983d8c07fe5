import CProcess
import Foundation

/// A program could not be started on the terminal.
package struct TerminalJobError: Error, Hashable {
  /// The system's error number.
  package let number: Int32
}

/// Another program on the terminal of this process, which has left it.
package enum TerminalJob {
  /// The number of times a program may be stopped because it does not have the terminal yet.
  private static let attemptLimit = 10

  /// Runs a program to its end; blocks until then.
  ///
  /// Keys such as Ctrl-C go to the program. If Ctrl-Z stops it, this process stops as well, so that
  /// the shell gets the terminal, and both continue together.
  /// - Parameter arguments: The path of the program, and its arguments.
  /// - Returns: Its exit status; 128 plus the number of the signal that ended it.
  /// - Throws: ``TerminalJobError`` if it cannot be started.
  package static func run(_ arguments: [String]) throws(TerminalJobError) -> Int32 {
    let terminal = STDIN_FILENO
    var strings = arguments.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var process = pid_t()
    let error = snippet_job_start(&strings, terminal, &process)
    guard error == 0 else { throw TerminalJobError(number: error) }
    var (status, attempts) = (Int32(), 0)
    while true {
      switch snippet_job_wait(process, terminal, &status) {
      case 0: return status
      case 1: break
      default: throw TerminalJobError(number: ECHILD)
      }
      if status == SIGTTIN || status == SIGTTOU {
        // The program was faster than the code that gives it the terminal.
        attempts += 1
        if attempts > attemptLimit { kill(process, SIGTERM) }
      } else {
        TerminalDevice.stopProcess()
      }
      snippet_job_continue(process, terminal)
    }
  }
}
