import ArgumentParser
import CProcess
import Foundation
import SnipCore
import TerminalKit

@main
enum Main {
  static func main() async {
    let environment = ProcessInfo.processInfo.environment
    let console = Console.ofProcess(environment: environment)
    let interrupts = Interrupts()
    let signals = SignalWatch(interrupts)
    defer { signals.stop() }

    guard let command = parsedCommand(console) else { return }
    let coloring = command.colorChoice.applied(to: environment)
    let context = CommandContext(
      console: .ofProcess(environment: coloring),
      interrupts: interrupts,
      stores: OpenStores(),
      environment: coloring
    )
    snippet_heap_share()
    if !type(of: command).handlesInterrupts { interrupts.endAtFirstRequest() }
    var status = ExitStatus.done
    do {
      try await command.run(in: context)
    } catch {
      status = context.console.report(error)
    }
    await context.stores.close()
    exit(context.console.finish(with: status).rawValue)
  }

  /// Reads the command line, and ends the program where that is wrong.
  ///
  /// - Returns: The command to run; `nil` for one that has been run already.
  private static func parsedCommand(_ console: Console) -> (any ContextCommand)? {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let commands = Snip.configuration.subcommands.map { $0.configuration }
    if let mistake = UsageMistake(in: arguments, among: commands) {
      exit(console.report(mistake).rawValue)
    }
    do {
      let command = try Snip.parseAsRoot(QueryArgument.marked(arguments))
      if let command = command as? any ContextCommand { return command }
      // The root command alone, the worker, or the parser's own: help, which it prints by
      // throwing it.
      var other = command
      try other.run()
      return nil
    } catch {
      let status = Snip.exitCode(for: error)
      let message = Snip.fullMessage(for: error)
      if let mistake = UsageMistake(
        in: arguments,
        among: commands,
        toldAs: message,
        asHelp: status == .success
      ) {
        exit(console.report(mistake).rawValue)
      }
      // Help and the version: the parser knows what to print.
      guard status != .success else { Snip.exit(withError: error) }
      // A usage error repeats what was typed, which may be the name of any file.
      console.messages.writeLine(
        TerminalText(UsageMistake.withoutFarGuess(in: message), lines: .kept).description
      )
      exit(status.rawValue)
    }
  }
}
