import Foundation
package import TerminalKit

/// The status this program ends with; scripts rely on the numbers.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Everything requested was done.
  case done = 0

  /// Something failed that no other status describes.
  case failure = 1

  /// No snippet has the given number.
  case noSuchSnippet = 2

  /// The command line was wrong.
  case usage = 64

  /// The input is not valid.
  case badInput = 65

  /// The store does not exist or cannot be read.
  case noStore = 66

  /// A file or folder could not be created.
  case cannotCreate = 73

  /// Reading or writing failed: the disk is full or damaged.
  case diskFailure = 74

  /// Another process held the store for too long; the same command may work later.
  case busy = 75

  /// The user ended the program.
  case interrupted = 130

  /// The program that read the output ended: the number a shell shows for the signal SIGPIPE.
  case closedPipe = 141
}

extension ExitStatus {
  /// The meaning of the status, as README and the manual have it; `nil` for one that only a shell
  /// sees.
  package var meaning: String? {
    switch self {
    case .done: "done"
    case .failure:
      "something failed, or was not confirmed; for `check`: the store is not sound"
    case .noSuchSnippet:
      "no such snippet; or it is in the trash, where it can be read but not changed"
    case .usage: "the command line is wrong"
    case .badInput: "the input, or the content of the snippet, is not valid"
    case .noStore:
      """
      there is no store or repository, or it cannot be used: damaged, foreign, altered, of another \
      version
      """
    case .cannotCreate: "a file could not be created or written"
    case .diskFailure: "the disk failed or is full"
    case .busy: "another process held the store for too long, or a place is not reached; try again"
    case .interrupted: "interrupted"
    case .closedPipe: nil
    }
  }
}

/// An error that knows the exit status and the messages for the user.
package protocol StatusError: Error {
  /// The status the program ends with.
  var status: ExitStatus { get }

  /// The failure and its reason, in one sentence without a full stop.
  var message: String { get }

  /// The advice that is printed behind `hint:`, one suggestion a line, or `nil`.
  var hint: String? { get }

  /// Lines that show the place of a mistake, safe to print.
  var details: [String] { get }
}

extension StatusError {
  package var details: [String] { [] }
}

extension ConsoleError: StatusError {
  package var status: ExitStatus { isClosedPipe ? .closedPipe : .diskFailure }

  package var message: String {
    let reason = String(cString: strerror(number))
    return "could not write to \(stream): \(reason)"
  }

  package var hint: String? {
    number == ENOSPC || number == EDQUOT
      ? "Free some space or write to another disk; the output so far is not complete." : nil
  }
}

/// The work was abandoned because the program was asked to end.
package struct InterruptedError: StatusError {
  package init() {}

  package var status: ExitStatus { .interrupted }
  package var message: String { "interrupted" }
  package var hint: String? { nil }
}
