import Foundation

/// Why a stream took no more output.
struct ConsoleError: Error, Equatable {
  /// The name of the stream.
  let stream: String

  /// The error number of the system.
  let number: Int32

  /// Whether the program that read the output has ended, which is no reason to complain.
  var isClosedPipe: Bool { number == EPIPE }
}

extension ConsoleError: StatusError {
  var status: ExitStatus { isClosedPipe ? .closedPipe : .diskFailure }

  var message: String {
    let reason = String(cString: strerror(number))
    return "could not write to \(stream): \(reason)"
  }

  var hint: String? {
    number == ENOSPC || number == EDQUOT
      ? "Free some space or write to another disk; what was written so far is not complete." : nil
  }
}
