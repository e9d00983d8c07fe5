import Dispatch
package import Foundation
import SnippetBase

/// An `sqlite3` shell that stays open, like a user's, and holds its transaction and locks.
package final class ShellSession: Sendable {
  private let process: Process
  private let input: FileHandle
  private let output: FileHandle

  /// Opens a file.
  package init(_ file: URL) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", file.path]
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardOutput
    input = standardInput.fileHandleForWriting
    output = standardOutput.fileHandleForReading
    try process.runAlone()
  }

  deinit {
    // The input of a session that the test has ended is closed already.
    try? input.close()
    try? output.close()
  }

  /// Runs SQL, and returns the output of the shell.
  package func run(_ sql: String) async throws -> String {
    let end = "--- done ---"
    try input.write(contentsOf: Data("\(sql)\n.print \(end)\n".utf8))
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "Shell").async { [output] in
        var bytes = Data()
        while true {
          let piece = output.availableData
          bytes.append(piece)
          let text = String(decoding: bytes, as: UTF8.self)
          if text.hasSuffix(end + "\n") {
            return continuation.resume(returning: String(text.dropLast(end.count + 1)))
          }
          if piece.isEmpty {
            return continuation.resume(
              throwing: Shell.Failure(output: .init(standardOutput: text))
            )
          }
        }
      }
    }
  }

  /// Ends the shell, with everything it held.
  package func end() async throws {
    try input.close()
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "Shell").async { [process] in
        process.waitUntilExit()
        continuation.resume()
      }
    }
  }

  /// Ends the shell as a crash would.
  package func crash() async throws {
    // SIGTERM would give the shell time to tidy up.
    _ = kill(process.processIdentifier, SIGKILL)
    try await end()
  }
}
