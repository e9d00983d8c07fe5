import ArgumentParser
import CProcess
import Foundation
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
    ]
  )
}

@main
enum Main {
  static func main() async {
    let environment = ProcessInfo.processInfo.environment
    let context = CommandContext(
      console: .ofProcess(environment: environment),
      interrupts: Interrupts(),
      stores: OpenStores(),
      environment: environment
    )
    let signals = SignalWatch(context.interrupts)
    defer { signals.stop() }

    let command: any ParsableCommand
    do {
      command = try Snip.parseAsRoot(
        QueryArgument.marked(Array(CommandLine.arguments.dropFirst()))
      )
      if !(command is any Subcommand) {
        // The root command alone, the worker, or the parser's own: help, which it prints by
        // throwing it.
        var command = command
        try command.run()
      }
    } catch {
      let status = Snip.exitCode(for: error)
      // Help and the version: the parser knows what to print.
      guard status != .success else { Snip.exit(withError: error) }
      // A usage error repeats what was typed, which may be the name of any file.
      let message = TerminalText(Snip.fullMessage(for: error), lines: .kept)
      context.console.messages.writeLine(message.description)
      exit(status.rawValue)
    }
    guard let subcommand = command as? any Subcommand else { return }
    snippet_heap_share()
    if !type(of: subcommand).handlesInterrupts { context.interrupts.endAtFirstRequest() }
    var status = ExitStatus.done
    do {
      try await subcommand.run(in: context)
    } catch {
      status = context.console.report(error)
    }
    await context.stores.close()
    exit(context.console.finish(with: status).rawValue)
  }
}
