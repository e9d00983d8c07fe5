import Foundation
import SnipCore
import SnippetTestSupport
import TerminalKit
import Testing

struct ConsoleTests {
  @Test func `a full disk has a status, a message and a hint of its own`() {
    let full = ConsoleError(stream: "standard output", number: ENOSPC)

    #expect(full.status == .diskFailure)
    #expect(full.message == "could not write to standard output: No space left on device")
    #expect(full.hint != nil)
  }

  @Test func `a failure at the end becomes the status of the program`() throws {
    let (console, messages) = console()
    try console.output.writeLine("data")

    #expect(console.finish(with: .done) == .diskFailure)
    #expect(messages.text.hasPrefix("snip: could not write to standard output: No space left"))
  }

  // As on a file system that sends the bytes when the file is closed.
  @Test func `output that a disk did not take in the end is a failure`() throws {
    let messages = RecordingSink()
    let console = Console(
      output: ConsoleStream(name: "standard output", sink: LateSink(), device: .pipe),
      messages: MessageStream(sink: messages, device: .pipe)
    )
    try console.output.writeLine("data")

    #expect(console.finish(with: .done) == .diskFailure)
    #expect(messages.text.hasPrefix("snip: could not write to standard output: No space left"))
  }

  @Test func `a failure at the end does not hide an earlier one`() throws {
    let (console, messages) = console()
    try console.output.writeLine("data")

    #expect(console.finish(with: .noSuchSnippet) == .noSuchSnippet)
    #expect(messages.text == "")
  }

  @Test func `a closed pipe ends the program without a word`() throws {
    let (console, messages) = console(failure: EPIPE)
    try console.output.writeLine("data")

    #expect(console.finish(with: .done) == .closedPipe)
    #expect(messages.text == "")
  }

  @Test func `a reader that ends early ends the program with the status of SIGPIPE`() async {
    await #expect(processExitsWith: .exitCode(141)) {
      closeReader(of: STDOUT_FILENO)
      let console = Console.ofProcess(environment: [:])
      do {
        while true { try console.output.writeLine("y") }
      } catch {
        exit(console.report(error).rawValue)
      }
    }
  }

  @Test func `messages to a reader that ended early do not end the program`() async {
    await #expect(processExitsWith: .success) {
      closeReader(of: STDERR_FILENO)
      let console = Console.ofProcess(environment: [:])
      for _ in 0..<3 { console.messages.writeLine("unread") }
      exit(console.finish(with: .done).rawValue)
    }
  }

  @Test func `a file never takes the place of a closed stream`() async {
    await #expect(processExitsWith: .exitCode(74)) {
      close(STDOUT_FILENO)
      let console = Console.ofProcess(environment: [:])
      let file = open("/dev/null", O_RDWR)
      guard file > STDERR_FILENO else { exit(99) }
      do {
        try console.output.writeLine("data")
      } catch {
        exit(98)
      }
      exit(console.finish(with: .done).rawValue)
    }
  }

  /// A console whose output takes no byte.
  private func console(failure: Int32 = ENOSPC) -> (Console, messages: RecordingSink) {
    let (output, messages) = (RecordingSink(capacity: 0, failure: failure), RecordingSink())
    let console = Console(
      output: ConsoleStream(name: "standard output", sink: output, device: .pipe),
      messages: MessageStream(sink: messages, device: .pipe)
    )
    return (console, messages)
  }
}

/// Puts a pipe that nobody reads in the place of a descriptor.
private func closeReader(of descriptor: Int32) {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { exit(97) }
  dup2(ends[1], descriptor)
  close(ends[0])
  close(ends[1])
}

/// A disk that takes everything, until it is asked.
private struct LateSink: OutputSink {
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputSinkError) -> Int { bytes.count }

  func finish() throws(OutputSinkError) { throw OutputSinkError(number: ENOSPC) }
}
