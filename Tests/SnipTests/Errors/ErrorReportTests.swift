import Foundation
import SnipCore
import SnippetTestSupport
import TerminalKit
import Testing

@testable import snip

struct ErrorReportTests {
  @Test func `scripts find the same numbers forever`() {
    #expect(
      SnipCore.ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 64, 65, 66, 73, 74, 75, 130, 141]
    )
  }

  @Test func `an error is a message and its hints`() {
    let (status, text) = report(
      Failure(status: .busy, message: "could not save: locked", hint: "Try again.\nOr wait.")
    )

    #expect(status == .busy)
    #expect(text == "snip: could not save: locked\nhint: Try again.\nhint: Or wait.\n")
  }

  @Test func `an error without a hint is one line`() {
    let (_, text) = report(Failure(status: .failure, message: "could not", hint: nil))

    #expect(text == "snip: could not\n")
  }

  @Test func `nothing in an error acts on the terminal`() {
    let (_, text) = report(
      Failure(
        status: .badInput,
        message: "could not read ‘\u{1B}]0;x\u{7}\nhint: rm -rf\u{202E}’",
        hint: "Rename \u{9B}2J."
      )
    )

    #expect(
      text
        == "snip: could not read ‘␛]0;x␇␊hint: rm -rf<U+202E>’\nhint: Rename <U+009B>2J.\n"
    )
  }

  @Test func `the words before stand out if colour is allowed`() {
    let (_, text) = report(
      Failure(status: .failure, message: "no", hint: "yes"),
      on: .terminal(width: 80, environment: ["NO_COLOR": ""])
    )

    #expect(text == "\u{1B}[1;31msnip:\u{1B}[0m no\n\u{1B}[2mhint:\u{1B}[0m yes\n")
  }

  @Test func `a cancelled task is an interruption`() {
    let (status, text) = report(CancellationError())

    #expect(status == .interrupted)
    #expect(text == "snip: interrupted\n")
  }

  @Test func `an error of any other kind says what it can`() {
    #expect(report(Unforeseen.kind("x")) == (.failure, "snip: kind(\"x\")\n"))
    #expect(report(Described()) == (.failure, "snip: as described\n"))
    #expect(report(POSIXError(.ENOENT)).text.contains("No such file"))
  }

  private func report(
    _ error: any Error,
    on device: OutputDevice = .pipe
  ) -> (status: SnipCore.ExitStatus, text: String) {
    let sink = RecordingSink()
    let console = Console(
      output: ConsoleStream(name: "standard output", sink: RecordingSink(), device: .pipe),
      messages: MessageStream(sink: sink, device: device)
    )
    return (console.report(error), sink.text)
  }
}

private struct Failure: StatusError {
  let status: SnipCore.ExitStatus
  let message: String
  let hint: String?
}

private enum Unforeseen: Error {
  case kind(String)
}

private struct Described: LocalizedError {
  var errorDescription: String? { "as described" }
}
