import Foundation
package import TerminalKit

/// An error as the user sees it: lines for standard error, and the status.
package struct ErrorReport: Sendable {
  /// The status the program ends with.
  package let status: ExitStatus

  /// The failure and its reason, safe to print, or `nil` if there is nothing to say.
  package let message: TerminalText?

  /// Lines that show the place of a mistake, safe to print.
  package let details: [String]

  /// The advice, safe to print, one suggestion each.
  package let hints: [TerminalText]

  /// Describes an error.
  ///
  /// A ``StatusError`` speaks for itself. Cancellation is an interruption. Any other error is a
  /// failure, described as well as it can be.
  package init(_ error: any Error) {
    switch error {
    case let error as any StatusError:
      status = error.status
      message = error.status == .closedPipe ? nil : TerminalText(error.message)
      details = message == nil ? [] : error.details
      hints = message == nil ? [] : Self.hints(in: error.hint)
    case is CancellationError:
      status = .interrupted
      message = TerminalText("interrupted")
      details = []
      hints = []
    default:
      status = .failure
      message = TerminalText(Self.text(of: error))
      details = []
      hints = Self.hints(in: (error as? any LocalizedError)?.recoverySuggestion)
    }
  }

  private static func hints(in text: String?) -> [TerminalText] {
    (text ?? "").split(separator: "\n").map { TerminalText(String($0)) }
  }

  private static func text(of error: any Error) -> String {
    if let text = (error as? any LocalizedError)?.errorDescription { return text }
    let isOfTheSystem = error is CocoaError || error is POSIXError
    return isOfTheSystem ? error.systemReason : String(describing: error)
  }
}

extension Error {
  /// The number that the system gave for the cause of an error of Foundation; `nil` without one.
  package var systemNumber: Int32? {
    // It has one of two types, depending on the system.
    let cause = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    let error = cause.map { $0 as NSError }
    return error?.domain == NSPOSIXErrorDomain ? error.map { Int32($0.code) } : nil
  }

  /// The reason of an error of Foundation in the words of the system, as all other errors have it.
  package var systemReason: String {
    systemNumber.map { String(cString: strerror($0)) } ?? localizedDescription
  }
}

extension Console {
  /// Reports an error on standard error.
  ///
  /// - Parameter error: The error.
  /// - Returns: The status to end the program with.
  package func report(_ error: any Error) -> ExitStatus {
    let report = ErrorReport(error)
    if let message = report.message {
      messages.writeLine("\(messages.device.styled("snip:", .error)) \(message)")
    }
    for line in report.details { messages.writeLine(line) }
    for hint in report.hints {
      messages.writeLine("\(messages.device.styled("hint:", .faint)) \(hint)")
    }
    return report.status
  }

  /// Writes buffered output, and reports how the program ends: as it would have, or because its
  /// output is not complete.
  ///
  /// - Parameter status: The status of the work. A failure is not replaced.
  /// - Returns: The status to end the program with.
  package func finish(with status: ExitStatus) -> ExitStatus {
    do {
      try output.finish()
      return status
    } catch {
      return status == .done ? report(error) : status
    }
  }
}
