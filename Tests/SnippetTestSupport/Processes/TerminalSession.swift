import Foundation
import SnippetBase
internal import SnippetStorage
import SnippetTesting

/// A running `snip` on a terminal of its own.
///
/// The test types, and reads the frames.
package final class TerminalSession: Sendable {
  private let terminal: PseudoTerminal
  private let process: Process
  private let ended = Gate()
  private let received = Lock(Data())

  /// Starts `snip` on a terminal that behaves like a user's: it edits lines, and keys send signals.
  package init(
    _ tool: SnipTool,
    _ arguments: [String],
    columns: Int = 80,
    lines: Int = 24
  ) throws {
    terminal = try PseudoTerminal(columns: columns, lines: lines, isRaw: false)
    process = Process()
    process.executableURL = SnipTool.executable
    process.arguments = arguments
    process.environment = tool.environment
    process.currentDirectoryURL = tool.folder
    process.standardInput = terminal.device
    process.standardOutput = terminal.device
    process.standardError = terminal.device
    process.terminationHandler = { [ended] _ in ended.open() }
    try process.runAlone()
  }

  /// The output read so far.
  package var text: String { String(decoding: received.withLock { $0 }, as: UTF8.self) }

  /// Whether the terminal edits lines and echoes input, as a shell expects.
  package func editsLines() throws -> Bool { try terminal.editsLines() }

  /// Types a text.
  package func type(_ text: String) throws {
    try terminal.type(Data(text.utf8))
  }

  /// Changes the size of the terminal, which its program notices.
  package func resize(columns: Int, lines: Int) throws {
    try terminal.resize(columns: columns, lines: lines)
    // A terminal only notifies the programs of its session, and this one is not part of it.
    send(SIGWINCH)
  }

  /// Sends a signal, unless the process has ended.
  package func send(_ signal: Int32) {
    if !ended.isOpen { kill(process.processIdentifier, signal) }
  }

  /// Waits until the process has been stopped: a signal to continue would be lost before.
  ///
  /// A process in an orphaned process group does not stop, so there is nothing to wait for.
  package func untilStopped() async throws {
    let process = process.processIdentifier
    let group = getpgid(process)
    guard group != getpgrp(), getsid(process) == getsid(0) else { return }
    try await Threads.run {
      var information = siginfo_t()
      // It only looks: the end of the process is still reported to the code that started it.
      let options = WSTOPPED | WEXITED | WNOWAIT
      while waitid(P_PID, id_t(process), &information, options) == -1, errno == EINTR {}
    }
  }

  /// Reads until a text has arrived a number of times, or once since another one.
  ///
  /// - Parameters:
  ///   - text: The text to wait for.
  ///   - count: The number of times. The default is 1.
  ///   - former: Only text after the last occurrence of this counts. The default counts everything.
  /// - Returns: Whether it arrived before the terminal was closed.
  /// - Throws: `CancellationError` when the test is over.
  @discardableResult
  package func read(
    until text: String,
    count: Int = 1,
    after former: String? = nil
  ) async throws -> Bool {
    try await Threads.run { [self] in
      while true {
        let all = self.text
        let start = former.flatMap { all.range(of: $0, options: .backwards)?.upperBound }
        let rest = former == nil ? all[...] : start.map { all[$0...] } ?? ""
        if rest.components(separatedBy: text).count > count { return true }
        guard let piece = terminal.nextBytes() else { return false }
        received.withLock { $0.append(piece) }
      }
    }
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: Its whole output and its status; after a signal, 128 plus the number of the signal.
  package func end() async throws -> SnipOutput {
    await ended.untilOpen()
    try terminal.device.close()
    try await read(until: "\u{0} never")
    return SnipOutput(
      bytes: received.withLock { $0 },
      status: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus
    )
  }
}
