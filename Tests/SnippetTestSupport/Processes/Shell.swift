import Dispatch
package import Foundation
import SnippetTesting

/// Runs other programs and waits for them without blocking Swift's threads.
package enum Shell {
  /// The result of a program.
  package struct Output: Sendable, Equatable {
    package var standardOutput: String
    package var standardError: String
    package var status: Int32

    package init(standardOutput: String, standardError: String = "", status: Int32 = 0) {
      self.standardOutput = standardOutput
      self.standardError = standardError
      self.status = status
    }
  }

  /// Runs a program that is found by its name.
  package static func run(
    _ program: String,
    _ arguments: [String],
    input: Data = Data()
  ) async throws -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError
    let ended = Gate()
    process.terminationHandler = { _ in ended.open() }
    try process.runAlone()
    async let output = read(standardOutput.fileHandleForReading)
    async let error = read(standardError.fileHandleForReading)
    try standardInput.fileHandleForWriting.write(contentsOf: input)
    try standardInput.fileHandleForWriting.close()
    let texts = try await (output, error)
    await ended.untilOpen()
    return Output(
      standardOutput: texts.0,
      standardError: texts.1,
      status: process.terminationStatus
    )
  }

  /// Runs SQL on a file with the `sqlite3` shell, as a user would, up to the first error.
  package static func sqlite3(_ file: URL, _ sql: String...) async throws -> Output {
    try await run("sqlite3", ["-bail", file.path] + sql)
  }

  /// Makes an executable script.
  ///
  /// Another process writes it: any process started here at the same time would have it open for
  /// writing, and then it could not be started.
  package static func writeScript(_ lines: String, to file: URL) async throws {
    let line = #"printf %s "$1" >"$0" && chmod 755 "$0""#
    let output = try await run("sh", ["-c", line, file.path, "#!/bin/sh\n\(lines)\n"])
    guard output.status == 0 else { throw Failure(output: output) }
  }

  /// The SHA-256 of a file, in hexadecimal digits.
  ///
  /// Another process reads it: opening and closing a database here would drop the locks of this
  /// process.
  package static func sha256(_ file: URL) async throws -> String {
    let output = try await run("sha256sum", [file.path])
    guard output.status == 0 else { throw Failure(output: output) }
    return String(output.standardOutput.prefix(64))
  }

  /// A program failed that had to succeed.
  package struct Failure: Error {
    package var output: Output

    package init(output: Output) {
      self.output = output
    }
  }

  private static func read(_ handle: FileHandle) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "Shell").async {
        continuation.resume(
          with: Result {
            defer { try? handle.close() }
            return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
          }
        )
      }
    }
  }
}
