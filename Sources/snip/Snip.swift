import ArgumentParser
import CProcess
import Foundation
import SnipCore
import TerminalKit

@main
enum Main {
  static func main() async {
    let environment = ProcessInfo.processInfo.environment
    let interrupts = Interrupts()
    // Before anything is opened, and before a signal comes.
    _ = Console.ofProcess(environment: environment)
    let signals = SignalWatch(interrupts)
    defer { signals.stop() }
    snippet_heap_share()

    let program = Program(
      environment: environment,
      input: CommandInput(),
      folder: nil,
      interrupts: interrupts,
      console: { .ofProcess(environment: $0) }
    )
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch await program.run(arguments) {
    case .status(let status): exit(status.rawValue)
    case .parser(let parsed):
      do {
        var command = try parsed.get()
        try command.run()
      } catch {
        // Help is printed by throwing it.
        Snip.exit(withError: error)
      }
    }
  }
}
