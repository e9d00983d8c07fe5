package import Foundation
import SnippetBase
import SnippetTesting

/// A running `snip`, or another program beside it.
///
/// Its standard output is read only when a test asks, so that a test can hold it while its pipe is
/// full: between two files of an import, for example.
package final class SnipProcess: Sendable {
  enum Input {
    case bytes(Data)
    case open
  }

  private let process: Process
  private let ended = Gate()
  private let standardOutput: FileHandle
  private let standardError: FileHandle
  /// The end of an open standard input, which is kept until the process has ended.
  private let openInput: FileHandle?
  private let received = Lock(Data())

  init(_ executable: URL, _ arguments: [String], tool: SnipTool, input: Input) throws {
    process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = tool.environment
    process.currentDirectoryURL = tool.folder
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    standardOutput = output.fileHandleForReading
    standardError = error.fileHandleForReading
    // Closed once the process has it: Foundation on Linux keeps a process and its files for good.
    var given: FileHandle?
    defer { try? given?.close() }
    switch input {
    case .bytes(let data):
      // Unlike a pipe, a file cannot fill up, and it does no harm if it is not read.
      let file = tool.folder.appendingPathComponent("input-\(UUID().uuidString)")
      try data.write(to: file)
      given = try FileHandle(forReadingFrom: file)
      process.standardInput = given
      try FileManager.default.removeItem(at: file)
      openInput = nil
    case .open:
      let pipe = Pipe()
      process.standardInput = pipe
      openInput = pipe.fileHandleForWriting
    }
    process.terminationHandler = { [ended] _ in ended.open() }
    try process.runAlone()
  }

  deinit {
    // Output that a test has not read to its end is still open.
    for handle in [standardOutput, standardError, openInput] { try? handle?.close() }
  }

  /// Sends a signal, unless the process has ended: its number may belong to another one by then.
  package func send(_ signal: Int32) {
    if !ended.isOpen { kill(process.processIdentifier, signal) }
  }

  /// Kills the process once a test is done with it, successfully or not.
  package func killed<Result>(after body: () async throws -> Result) async throws -> Result {
    do {
      let result = try await body()
      send(SIGKILL)
      await end()
      return result
    } catch {
      send(SIGKILL)
      await end()
      throw error
    }
  }

  /// Writes to an open standard input; returns once everything but the content of a pipe has been
  /// read.
  package func write(_ bytes: Data) async throws {
    try await Threads.run { [openInput] in try openInput?.write(contentsOf: bytes) }
  }

  /// Whether the process has ended.
  package var hasEnded: Bool { ended.isOpen }

  /// Whether the process has a file of this name open.
  ///
  /// Where the system does not tell, it counts as open.
  package func hasOpened(_ file: URL) -> Bool {
    let folder = "/proc/\(process.processIdentifier)/fd"
    guard let numbers = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return true
    }
    return numbers.contains { number in
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
      return path?.hasSuffix("/\(file.lastPathComponent)") == true
    }
  }

  /// Waits until the process has ended, without reading its output.
  package func end() async {
    await ended.untilOpen()
  }

  /// Reads the first lines of standard output; fewer if it ends before.
  package func firstLines(_ count: Int) async throws -> [String] {
    try await Threads.run { [self] in
      while lines().count < count {
        // Few bytes at a time, so that the pipe stays full; and not by Foundation, which waits for
        // all of them.
        var piece = [UInt8](repeating: 0, count: 512)
        let count = read(standardOutput.fileDescriptor, &piece, piece.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        received.withLock { $0.append(contentsOf: piece[..<count]) }
      }
      return Array(lines().prefix(count))
    }
  }

  /// Waits until standard output ends, and for the process.
  package func output() async throws -> SnipOutput {
    async let rest = Threads.run { [self] in try standardOutput.readToEnd() ?? Data() }
    async let errors = Threads.run { [self] in try standardError.readToEnd() ?? Data() }
    let (bytes, error) = try await (rest, errors)
    await ended.untilOpen()
    return SnipOutput(
      bytes: received.withLock { $0 } + bytes,
      error: String(decoding: error, as: UTF8.self),
      status: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus
    )
  }

  /// The complete lines received so far.
  private func lines() -> [String] {
    let text = String(decoding: received.withLock { $0 }, as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}
