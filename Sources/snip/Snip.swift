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
    if let status = await program.run(arguments) { exit(status.rawValue) }
    // The root command alone, the worker, or a command of the parser: help, which it prints by
    // throwing it.
    do {
      var command = try Snip.parseAsRoot(QueryArgument.marked(arguments))
      try command.run()
    } catch {
      Snip.exit(withError: error)
    }
  }
}
