import Foundation
import SnipCore
import SnippetBase

/// Another process that makes random edits of a store; it ends with the last reference.
final class OtherEditor: Sendable {
  /// The hidden command of `snip` that the process runs.
  static let commandName = "make-random-edits"

  private let process: Process

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - store: The store to edit.
  ///   - count: The number of edits.
  ///   - seed: Selects a set of edits.
  ///   - duration: The time over which to spread the edits.
  /// - Throws: ``OtherEditorError``
  init(
    of store: URL,
    count: Int,
    seed: UInt64,
    over duration: Duration
  ) throws(OtherEditorError) {
    let process = Process()
    process.executableURL =
      Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [
      Self.commandName, "--store", store.path, "--count", "\(count)", "--seed", "\(seed)",
      "--milliseconds", "\(Int(duration / .milliseconds(1)))",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw OtherEditorError(reason: error.localizedDescription)
    }
    self.process = process
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// Waits until all edits are made.
  ///
  /// - Throws: ``OtherEditorError`` when the process has failed; it has printed the reason.
  func finish() async throws {
    let status = await OwnThreads.result { [process] in
      process.waitUntilExit()
      return process.terminationStatus
    }
    guard status == 0 else { throw OtherEditorError(reason: "it ended with status \(status)") }
  }
}

/// The editing process failed.
struct OtherEditorError: StatusError {
  let reason: String

  var status: ExitStatus { .failure }
  var message: String { "could not have the store edited by another process: \(reason)" }
  var hint: String? { "Scroll without --edits." }
}
