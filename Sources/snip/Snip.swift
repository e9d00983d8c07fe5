import ArgumentParser
import CProcess
import Foundation
import SnipCore
import TerminalKit

/// The command `snip`.
struct Snip: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snip",
    abstract: "Keep text, image and voice snippets in one SQLite file.",
    discussion: """
      Start with:
        snip demo                     a sample library to play with
        snip import ~/Notes ~/Photos  every text, picture and recording below them
        snip list                     all snippets, newest first

      The store is the file that --store names, else $SNIP_STORE, else a file in your data \
      directory. `snip info` shows which.
      """,
    version: "0.1.0",
    groupedSubcommands: [
      CommandGroup(
        name: "Adding",
        subcommands: [
          ImportCommand.self, AddCommand.self, CaptureCommand.self, DemoCommand.self,
        ]
      ),
      CommandGroup(
        name: "Finding and reading",
        subcommands: [
          ListCommand.self, BrowseCommand.self, SearchCommand.self, ShowCommand.self,
          CatCommand.self,
        ]
      ),
      CommandGroup(
        name: "Changing",
        subcommands: [
          TagCommand.self, EditCommand.self, RemoveCommand.self, UndeleteCommand.self,
          PurgeCommand.self,
        ]
      ),
      CommandGroup(
        name: "Inspecting",
        subcommands: [
          InfoCommand.self, DiskUseCommand.self, DoctorCommand.self, SQLCommand.self,
          WatchCommand.self, ScrollCommand.self, DecodeCommand.self,
          RandomEditsCommand.self,
        ]
      ),
      CommandGroup(
        name: "Keeping safe",
        subcommands: [
          BackupCommand.self, RestoreCommand.self, ExportCommand.self, CheckCommand.self,
          SalvageCommand.self, DeriveCommand.self, GarbageCommand.self,
        ]
      ),
      CommandGroup(name: "Installing", subcommands: [SetupCommand.self]),
    ]
  )
}

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
    if let mistake = UsageMistake(in: arguments) { exit(console.report(mistake).rawValue) }
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
