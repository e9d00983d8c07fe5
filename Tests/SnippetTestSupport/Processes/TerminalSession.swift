import Foundation
import SnippetBase
internal import SnippetStorage
import SnippetTesting

/// A running `snip` on a terminal of its own, at which a test sits: it types, and reads what is drawn.
package final class TerminalSession: Sendable {
  private let terminal: PseudoTerminal
  private let process: Process
  private let ended = Gate()
  private let received = Lock(Data())

  /// Starts `snip` on a terminal that behaves as a user's does: lines are edited, signals come from
  /// keys.
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

  /// What has been read so far.
  package var text: String { String(decoding: received.withLock { $0 }, as: UTF8.self) }

  /// Whether the terminal edits lines and shows what is typed, as a shell expects it.
  package func editsLines() throws -> Bool { try terminal.editsLines() }

  /// Types.
  package func type(_ text: String) throws {
    try terminal.type(Data(text.utf8))
  }

  /// Gives the terminal another size, which tells its program.
  package func resize(columns: Int, lines: Int) throws {
    try terminal.resize(columns: columns, lines: lines)
    // A terminal tells the programs of its session alone, and this one is not of it.
    send(SIGWINCH)
  }

  /// Sends a signal, unless the process has ended.
  package func send(_ signal: Int32) {
    if !ended.isOpen { kill(process.processIdentifier, signal) }
  }

  /// Waits until the process has been stopped: a signal that lets it go on is lost before.
  ///
  /// In a process group that nobody looks after it does not stop, and there is nothing to wait for.
  package func untilStopped() async throws {
    let process = process.processIdentifier
    let group = getpgid(process)
    guard group != getpgrp(), getsid(process) == getsid(0) else { return }
    try await Threads.run {
      var information = siginfo_t()
      // It is only looked at: the end of the process is told to whoever started it.
      let options = WSTOPPED | WEXITED | WNOWAIT
      while waitid(P_PID, id_t(process), &information, options) == -1, errno == EINTR {}
    }
  }

  /// Reads until a text has come, as often as it is waited for, or once since another one.
  ///
  /// - Parameters:
  ///   - text: What is waited for.
  ///   - count: How often it must have come. The default is once.
  ///   - former: Only what has come behind the last of this counts. The default is all.
  /// - Returns: Whether it has come before the terminal was closed.
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
  /// - Returns: All that it wrote, and its status; after a signal 128 and the number of that.
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
