import Foundation
import SnipCore
import SnippetTestSupport
import TerminalKit

@testable import snip

extension SnipTool {
  /// Prepares runs in this very process, which are quicker than the built command: the same command
  /// line, environment and folder, with pipes for its streams.
  ///
  /// What a test starts, has a shell start or puts on a terminal is still the built command, and so
  /// is what decodes in processes of its own, or speaks of its own file.
  static func inProcess(in folder: URL = TemporaryDirectory.current.url) throws -> SnipTool {
    var tool = try SnipTool(in: folder)
    tool.standIn = run
    return tool
  }

  /// The commands that start processes of this program.
  private static let startsProcesses: Set = [
    "browse", "demo", "derive", "doctor", "scroll", "show",
  ]

  private static func run(
    _ tool: SnipTool,
    _ arguments: [String],
    _ input: Data
  ) async throws -> SnipOutput? {
    guard let command = arguments.first, !startsProcesses.contains(command) else { return nil }
    // A file, as a process gets it.
    let file = tool.folder.appendingPathComponent("input-\(UUID().uuidString)")
    try input.write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    try FileManager.default.removeItem(at: file)
    defer { try? handle.close() }
    let (output, messages) = (RecordingSink(), RecordingSink())
    let program = Program(
      environment: tool.environment,
      input: CommandInput(handle),
      folder: URL(fileURLWithPath: tool.folder.path, isDirectory: true),
      interrupts: Interrupts { preconditionFailure("a test does not ask for that") }
    ) { environment in
      let device = OutputDevice(isTerminal: false, environment: environment)
      return Console(
        output: ConsoleStream(name: "standard output", sink: output, device: device),
        messages: MessageStream(sink: messages, device: device)
      )
    }
    guard case .status(let status) = await program.run(arguments) else { return nil }
    return SnipOutput(
      bytes: Data(output.bytes),
      error: messages.text,
      status: status.rawValue
    )
  }
}
